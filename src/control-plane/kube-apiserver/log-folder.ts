/** Folder of kube-apiserver's audit and termination logs. */
export const logFolder = '/var/log/kube-apiserver';
