import type { Profile } from '../config/cluster-names.js';
import type { EtcdDialect } from './etcd/dialect.js';
import { openShiftEtcd } from './etcd/openshift.js';
import { upstreamEtcd } from './etcd/upstream.js';
import type { ApiserverDialect } from './kube-apiserver/dialect.js';
import { openShiftApiserver } from './kube-apiserver/openshift.js';
import { upstreamApiserver } from './kube-apiserver/upstream.js';
import type { ControllerManagerDialect } from './kube-controller-manager/dialect.js';
import { openShiftControllerManager } from './kube-controller-manager/openshift.js';
import { upstreamControllerManager } from './kube-controller-manager/upstream.js';
import type { SchedulerDialect } from './kube-scheduler/dialect.js';
import { openShiftScheduler } from './kube-scheduler/openshift.js';
import { upstreamScheduler } from './kube-scheduler/upstream.js';

/** Every component in one dialect. */
export interface Dialect {
  readonly etcd: EtcdDialect;
  readonly apiserver: ApiserverDialect;
  readonly controllerManager: ControllerManagerDialect;
  readonly scheduler: SchedulerDialect;
}

/** The one place where the profile is asked: the loops are given a dialect. */
export const dialects: Readonly<Record<Profile, Dialect>> = {
  OpenShift: {
    etcd: openShiftEtcd,
    apiserver: openShiftApiserver,
    controllerManager: openShiftControllerManager,
    scheduler: openShiftScheduler,
  },
  Kubernetes: {
    etcd: upstreamEtcd,
    apiserver: upstreamApiserver,
    controllerManager: upstreamControllerManager,
    scheduler: upstreamScheduler,
  },
};
