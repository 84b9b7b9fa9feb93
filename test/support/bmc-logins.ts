import { encryptAge } from '../../src/formats/age.js';
import { account } from '../remote/redfish/fake-bmc.js';
import { ageKeys } from './age-keys.js';

/** The file `bmc.yaml.age` with the account of the fake BMCs for all sites, encrypted to `ageKeys.ours`. */
export function bmcLogins(): Promise<string> {
  const users = { '*': { username: account.name, password: account.password } };
  return encryptAge(JSON.stringify(users), { recipients: [ageKeys.ours.recipient] });
}
