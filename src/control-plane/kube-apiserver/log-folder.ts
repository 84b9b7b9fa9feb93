/** Where kube-apiserver keeps its audit log, and what else it writes. */
export const logFolder = '/var/log/kube-apiserver';
