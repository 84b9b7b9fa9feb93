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

/** The implementations of all four components for one profile. */
export interface Dialect {
  readonly etcd: EtcdDialect;
  readonly apiserver: ApiserverDialect;
  readonly controllerManager: ControllerManagerDialect;
  readonly scheduler: SchedulerDialect;
}

/** The only place that branches on the profile. Loops receive the dialect instead. */
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
