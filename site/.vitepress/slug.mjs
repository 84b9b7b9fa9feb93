/** A heading as links name it, the same as on the hosts of Git. Source: github.com/gjtorikian/html-pipeline, toc filter */
export function slugOf(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}
