// Parts of @kubernetes/client-node that we use. The bundler drops everything that is not listed here.
export {
  ApiException,
  BatchV1Api,
  CoreV1Api,
  CustomObjectsApi,
  HttpMethod,
  KubeConfig,
  ResponseContext,
  ServerConfiguration,
  V1ConfigMap,
  V1Job,
  createConfiguration,
  wrapHttpLibrary,
} from '@kubernetes/client-node';
