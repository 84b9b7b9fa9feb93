import type { Sign } from './signs.js';

const script = 'release-image.sh';

/** Words in the errors of a pull; those with capitals are of releases before 4.10. */
const ofPull =
  /(?:[Ii]nitializing (?:image from )?source|[Dd]etermining manifest MIME type|inging (?:container|docker) registry|[Rr]eading manifest|[Ff]etching blob|[Rr]eading (?:config )?blob|[Cc]opying system image|[Ww]riting blob|[Pp]arsing image configuration|[Cc]hoosing (?:an )?image|[Ll]oading registries|getting username and password|policy\.json|(?:reading|downloading) signature|Source image rejected|unable to pull |(?:[Ff]ailed|cannot) to pull image|ErrImagePull)/;

/**
 * A failed pull with a reason from podman or a registry, logged by our scripts, by podman itself, or by the kubelet.
 * Source of the texts: github.com/containers/image copy, docker and signature; Go crypto/x509 and net/http; podman 4.3.1 on loopback
 */
export function pullFails(because: RegExp): readonly Sign[] {
  return [
    {
      program: 'podman',
      says: new RegExp(`^(?=.*${ofPull.source}).*(?:${because.source})`),
      source:
        'github.com/containers/image copy/copy.go and docker/docker_client.go; Kubernetes pkg/kubelet/images',
    },
    { script, says: 'pulling * failed after * s of * s, next try in * s: *', because },
    { script, says: 'timed out after * s pulling *: *', because },
  ];
}
