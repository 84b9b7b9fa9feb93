import { openImage } from '../../disk/image/image-file.js';
import { lacksMediaReceipt } from '../../disk/receipt/media-receipt-place.js';
import { configIn } from '../../media/single-node-iso.js';

/** Whether the file is an image with this config and without a receipt, as a run killed between the two leaves it. */
export async function isUnreceipted(path: string, config: Buffer): Promise<boolean> {
  if (!lacksMediaReceipt(path)) return false;
  const opened = openImage('the image', path);
  if (!opened.ok) return false;
  try {
    const found = await configIn(opened.value.image);
    return found.ok && found.value?.equals(config) === true;
  } finally {
    opened.value.close();
  }
}
