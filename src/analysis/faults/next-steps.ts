/** Sentences of advice. In their output, `SERVICE` is the service whose log has the line, and `IMAGE` the image of the line. */

/** All services of the boot flow restart after a failure, and the kubelet pulls again. Source: Restart= of their units */
export const pullsAgain =
  'The pull is repeated automatically: `sudo journalctl --follow --unit SERVICE` on the node shows it.';

/** For changed inputs. */
export const createAgain = 'Then run `sno-install create iso` and boot the machine from the new ISO.';

/** For a cause outside of the node. */
export const tryOnNode =
  'On the node, `sudo podman pull --authfile /root/.docker/config.json IMAGE` must succeed.';
