// What is used of @kubernetes/client-node: the bundle takes no more of it than this names.
export {
  ApiException,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  ServerConfiguration,
  bufferFromFileOrString,
  createConfiguration,
} from '@kubernetes/client-node';
