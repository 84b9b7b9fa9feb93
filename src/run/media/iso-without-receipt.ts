import { openImage } from '../../disk/image/image-file.js';
import { isMediaReceiptMissing } from '../../disk/receipt/media-receipt.js';
import { readIsoConfig } from '../../media/single-node-iso.js';

/** Whether the file is an image with this config and without a receipt, as a run killed between the two leaves it. */
export async function isIsoWithoutReceipt(path: string, config: Buffer): Promise<boolean> {
  if (!isMediaReceiptMissing(path)) return false;
  const opened = openImage('the image', path);
  if (!opened.ok) return false;
  try {
    const found = await readIsoConfig(opened.value.image);
    return found.ok && found.value?.equals(config) === true;
  } finally {
    opened.value.close();
  }
}
