const width = 440;
const line = 22;

/** The machines of an installation in their order, each with its steps. `then` labels the arrow to the next. */
const machines = [
  {
    name: 'Your computer',
    steps: ['install-config.yaml → sno-install → site1.iso'],
    then: 'boot once: USB, CD, BMC or PXE',
  },
  {
    name: 'The node, live system in memory',
    steps: ['1  pulls the release images', '2  starts etcd and a control plane', '3  writes CoreOS to disk'],
    then: 'reboot',
  },
  {
    name: 'The node, from disk',
    steps: [
      '4  restores etcd from its snapshot',
      '5  OpenShift operators take over',
      '6  the cluster is available',
    ],
  },
];

/** docs/boot.svg: the way from a config to a cluster. Brings its own background, so that it is readable on any page. */
export function bootDiagram() {
  let y = 12;
  const parts = machines.flatMap(({ name, steps, then }) => {
    const height = 40 + steps.length * line;
    const box = [
      `<rect class="box" x="12" y="${y}" width="${width - 24}" height="${height}" rx="6"/>`,
      `<text class="name" x="28" y="${y + 25}">${name}</text>`,
      ...steps.map((step, index) => `<text x="28" y="${y + 25 + (index + 1) * line}">${step}</text>`),
    ];
    y += height;
    if (then === undefined) return box;
    const arrow = [
      `<path class="arrow" d="M40 ${y} v28 m-6 -8 l6 8 l6 -8"/>`,
      `<text class="label" x="56" y="${y + 19}">${then}</text>`,
    ];
    y += 30;
    return [...box, ...arrow];
  });
  const height = y + 12;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    '<title>From install-config.yaml to a cluster</title>',
    `<style>${style}</style>`,
    `<rect class="page" width="${width}" height="${height}" rx="8"/>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}

const style = `
  text { font: 15px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328; }
  .name { font-weight: 600; }
  .label { fill: #59636e; }
  .page { fill: #ffffff; }
  .box { fill: #f0f4f8; stroke: #59636e; }
  .arrow { fill: none; stroke: #59636e; stroke-width: 2; }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; }
    .label { fill: #b1bac4; }
    .page { fill: #0d1117; }
    .box { fill: #1c2430; stroke: #8b949e; }
    .arrow { stroke: #b1bac4; }
  }
`;
