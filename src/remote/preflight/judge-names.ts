import type { InstallConfig } from '../../config/schema/install-config-schema.js';
import type { SnoConfig } from '../../config/schema/sno-config-schema.js';
import { contains, formatAddress, parseAddress, parseCidr } from '../../formats/cidr.js';
import type { PreflightCheck, NameAnswer } from './answers.js';
import type { PlannedName } from './plan.js';
import { passedCheck, failedCheck } from './verdict.js';

/** Configuration that DNS answers are compared with. */
export interface NameExpectations {
  readonly install: Pick<InstallConfig, 'networking'>;
  readonly sno: Pick<SnoConfig, 'nodeIP' | 'hostname' | 'dns'>;
}

/** Evaluates the DNS answer for a name. */
export function judgeName(
  { shown, role }: PlannedName,
  answer: NameAnswer,
  subject: NameExpectations,
): PreflightCheck {
  const question = { kind: 'dns' as const, question: shown };
  switch (answer.kind) {
    case 'unanswered': {
      const message = `cannot look up ${shown}: ${answer.reason}`;
      return failedCheck({ ...question, answer: answer.reason }, 'preflight/dns-unanswered', message);
    }
    case 'names':
    case 'nothing':
      return missing({ ...question, answer: 'no address' }, role, subject);
    case 'addresses': {
      const said = { ...question, answer: answer.addresses.join(', ') };
      // A load balancer or NAT has its own address.
      const isFree = role !== 'node' && subject.sno.dns.apiCheck !== 'Address';
      return isFree ? passedCheck(said) : judgeAddresses(said, answer.addresses, subject);
    }
  }
}

type Question = Parameters<typeof passedCheck>[0];

function missing(question: Question, role: PlannedName['role'], { sno }: NameExpectations): PreflightCheck {
  const name = question.question;
  if (role === 'node') {
    const message = `DNS has no address for ${name}, the name of the node`;
    return failedCheck(question, 'preflight/node-name', message, 'add a record with the address of the node');
  }
  if (sno.dns.apiCheck === 'None') return passedCheck(question);
  if (sno.dns.local) {
    const message = `DNS has no address for ${name}: only the node itself resolves it, other machines cannot`;
    return failedCheck(question, 'preflight/name-known-to-node-alone', message);
  }
  const hint = `add a record with the address of the node${sno.nodeIP === undefined ? '' : `, ${sno.nodeIP}`}, or set dns.local in sno-config.yaml`;
  return failedCheck(question, 'preflight/name-missing', `DNS has no address for ${name}`, hint);
}

function judgeAddresses(
  question: Question,
  addresses: readonly string[],
  { install, sno }: NameExpectations,
): PreflightCheck {
  const name = question.question;
  const networks = install.networking.machineNetwork.flatMap(({ cidr }) => parseCidr(cidr) ?? []);
  const outside = addresses.filter((each) => {
    const address = parseAddress(each);
    return address === undefined || !networks.some((network) => contains(network, address));
  });
  if (outside.length > 0) {
    const message = `${name} resolves to ${outside.join(', ')}, outside the machine networks`;
    const hint =
      'correct the record, or set dns.apiCheck if the node is behind a load balancer or NAT; if the node uses other name servers, name them with --dns-server';
    return failedCheck(question, 'preflight/name-outside', message, hint);
  }
  const node = parseAddress(sno.nodeIP ?? '');
  // In dual stack, nodeIP contains only one of the two families.
  const others = addresses.filter((each) => {
    const address = parseAddress(each);
    return (
      node !== undefined && address?.family === node.family && formatAddress(address) !== formatAddress(node)
    );
  });
  if (others.length === 0) return passedCheck(question);
  const message = `${name} resolves to ${others.join(', ')} instead of nodeIP ${sno.nodeIP ?? ''}`;
  return failedCheck(
    question,
    'preflight/name-elsewhere',
    message,
    'correct the record or nodeIP in sno-config.yaml',
  );
}

/** Evaluates the reverse DNS answer for an address: without `hostname`, the node takes this name. */
export function judgeReverse(address: string, answer: NameAnswer, { sno }: NameExpectations): PreflightCheck {
  const question = { kind: 'dns' as const, question: `name of ${address}` };
  if (answer.kind === 'unanswered') {
    const message = `cannot look up the name of ${address}: ${answer.reason}`;
    return failedCheck({ ...question, answer: answer.reason }, 'preflight/dns-unanswered', message);
  }
  const names = answer.kind === 'names' ? answer.names : [];
  const said = { ...question, answer: names.length === 0 ? 'no name' : names.join(', ') };
  const { hostname } = sno;
  if (names.length === 0) {
    if (hostname !== undefined) return passedCheck(said);
    const message = `DNS has no name for ${address}, and hostname is not set in sno-config.yaml`;
    return failedCheck(
      said,
      'preflight/node-name',
      message,
      'add a PTR record, set hostname, or configure the host name in DHCP',
    );
  }
  const isSame = (name: string): boolean => name === hostname || name.split('.')[0] === hostname;
  if (hostname === undefined || names.some(isSame)) return passedCheck(said);
  return failedCheck(
    said,
    'preflight/node-name',
    `the name of ${address} in DNS is ${names.join(', ')}, but hostname is ${hostname}`,
  );
}
