// What is used of @kubernetes/client-node: the bundle takes no more of it than this names.
export {
  ApiException,
  BatchV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  ServerConfiguration,
  bufferFromFileOrString,
  V1ConfigMap,
  V1Job,
  createConfiguration,
} from '@kubernetes/client-node';
