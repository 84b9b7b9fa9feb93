import { quoted } from '../../../core/quoted.js';
import type { Finding } from '../../schema/rule.js';
import type { InstallRule, InstallSubject } from './install-subject.js';

export const machineRules: readonly InstallRule[] = [
  {
    number: 37,
    fields: ['controlPlane.replicas'],
    text: 'controlPlane.replicas is 1.',
    origin: 'sno-install',
    check: replicas,
  },
  {
    number: 38,
    fields: ['controlPlane.name'],
    text: 'controlPlane.name is master; another name is ignored (a warning).',
    origin: 'openshift-install',
    check: poolName,
  },
  {
    number: 39,
    fields: ['compute[].name'],
    text: 'There is one compute pool, named worker.',
    origin: 'openshift-install',
    check: computeNames,
  },
  {
    number: 40,
    fields: ['compute[].architecture'],
    text: 'compute has the architecture of controlPlane.',
    origin: 'openshift-install',
    check: architectures,
  },
  {
    number: 98,
    fields: ['compute[].replicas'],
    text: 'With compute.replicas above 0, the control plane node is not schedulable, and some operators wait for workers (a warning).',
    origin: 'sno-install',
    check: awaitedWorkers,
  },
];

function replicas({ config }: InstallSubject): readonly Finding[] {
  const given = config.controlPlane.replicas;
  if (given === 1) return [];
  const message = `controlPlane.replicas must be 1 for a single node, not ${given}`;
  return [
    { code: 'config/replicas', path: ['controlPlane', 'replicas'], message, hint: 'write "replicas: 1"' },
  ];
}

function poolName({ input }: InstallSubject): readonly Finding[] {
  const name = input.controlPlane?.name ?? 'master';
  if (name === 'master' || name === '') return [];
  const message = `controlPlane.name is always master; ${quoted(name)} is ignored`;
  return [
    { code: 'config/ignored-value', path: ['controlPlane', 'name'], message, hint: 'write "name: master"' },
  ];
}

function computeNames({ config }: InstallSubject): readonly Finding[] {
  return config.compute.flatMap(({ name }, index) => {
    const place = { code: 'config/compute-pool' as const, path: ['compute', index, 'name'] };
    if (name !== 'worker')
      return [
        {
          ...place,
          message: `a compute pool must be named worker, not ${quoted(name)}`,
          hint: 'write "name: worker"',
        },
      ];
    const isSecond = config.compute.findIndex((pool) => pool.name === name) !== index;
    return isSecond
      ? [{ ...place, message: 'there are two compute pools named worker', hint: 'keep one' }]
      : [];
  });
}

function architectures({ config }: InstallSubject): readonly Finding[] {
  const wanted = config.controlPlane.architecture;
  return config.compute.flatMap(({ architecture }, index) => {
    if (architecture === wanted) return [];
    const message = `compute[${index}] is ${architecture} while controlPlane is ${wanted}`;
    return [
      {
        code: 'config/architecture' as const,
        path: ['compute', index, 'architecture'],
        message,
        hint: `write "architecture: ${wanted}", or leave it out`,
        with: [['controlPlane', 'architecture']],
      },
    ];
  });
}

/** With workers, Scheduler/cluster makes control plane nodes unschedulable, so routers and other pods wait for a worker. */
function awaitedWorkers({ config }: InstallSubject): readonly Finding[] {
  return config.compute.flatMap(({ replicas }, index) =>
    replicas > 0
      ? [
          {
            code: 'config/workers-awaited' as const,
            path: ['compute', index, 'replicas'],
            message: `with compute[${index}].replicas ${replicas} the control-plane node runs no workloads, and the installation is complete only when workers have joined`,
            hint: 'write "replicas: 0" and add workers when the cluster is up, or boot them with worker.ign during the installation',
          },
        ]
      : [],
  );
}
