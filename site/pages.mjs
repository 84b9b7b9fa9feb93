/**
 * The pages of the site in four kinds (source: diataxis.fr). Each page of docs/ is listed once, as path and name. `pages` are in the
 * sidebar, at most 25 in all; `more` are linked from other pages and from the list of all pages.
 */
export const kinds = [
  {
    name: 'Tutorial',
    groups: [
      {
        name: 'Start',
        pages: [
          ['docs/tutorial.md', 'Tutorial'],
          ['docs/install.md', 'Install sno-install'],
          ['docs/coming-from.md', 'Coming from another installer'],
        ],
        more: [
          ['docs/import.md', 'Import files of another installer'],
          ['docs/image.md', 'Run it as a container'],
          ['docs/verify-release.md', 'Verify a release'],
        ],
      },
    ],
  },
  {
    name: 'How-to',
    groups: [
      {
        name: 'One site',
        pages: [
          ['docs/how-to/telco-site.md', 'Bond, VLAN, proxy and mirror'],
          ['docs/how-to/disconnected.md', 'Install without the internet'],
          ['docs/network.md', 'Describe the network'],
          ['docs/media.md', 'Make an ISO or PXE files'],
          ['docs/how-to/secrets.md', 'Keep the keys encrypted'],
          ['docs/how-to/renewal.md', 'Renew certificates'],
          ['docs/how-to/support.md', 'Find out why it stopped'],
        ],
        more: [
          ['docs/disk.md', 'Choose the disk'],
          ['docs/how-to/proxy.md', 'Install behind a proxy'],
          ['docs/how-to/static-network.md', 'Give the node a static address'],
          ['docs/how-to/pxe.md', 'Boot the machine over the network'],
          ['docs/how-to/virtual-machine.md', 'Try it in a virtual machine'],
          ['docs/acceptance.md', 'Test a release on your host'],
          ['docs/how-to/post-install.md', 'Configure operators'],
          ['docs/how-to/running-site.md', 'Change the configuration of a running site'],
          ['docs/how-to/reinstall.md', 'Install a machine again'],
          ['docs/how-to/workers.md', 'Add a worker'],
          ['docs/how-to/aio.md', 'Make a control plane on one machine'],
          ['docs/preflight.md', 'Check the network before the boot'],
          ['docs/images.md', 'List the images to mirror'],
          ['docs/references.md', 'Keep secrets in separate files'],
          ['docs/authority.md', 'Use your certificate authority'],
          ['docs/manifests.md', 'Edit and add manifests'],
          ['docs/schema-sources.md', 'Sources of the object schemas'],
          ['docs/wait-for.md', 'Wait for the cluster'],
          ['docs/state.md', 'Encrypt the state and outputs'],
          ['docs/stability.md', 'Stability'],
        ],
      },
      {
        name: 'Many sites',
        pages: [
          ['docs/how-to/fleet.md', 'Make a fleet from a table'],
          ['docs/fleet.md', 'Write a fleet'],
          ['docs/fleet-build.md', 'Build and review a fleet'],
          ['docs/fleet-boot.md', 'Boot and watch a fleet'],
          ['docs/fleet-rollout.md', 'Roll out a fleet in waves'],
        ],
        more: [
          ['docs/how-to/telco-fleet.md', 'Roll out 300 telco sites'],
          ['docs/serve.md', 'Serve an ISO to each site'],
        ],
      },
      {
        name: 'Git and review',
        pages: [
          ['docs/how-to/gitops.md', 'Change sites by pull request'],
          ['docs/review.md', 'Compare generated files'],
          ['docs/ci.md', 'Run it in pipelines'],
        ],
        more: [
          ['docs/golden.md', 'Keep sites in Git, with golden trees'],
          ['docs/inspect.md', 'Inspect files and certificates'],
          ['docs/receipts.md', 'Verify outputs and media'],
        ],
      },
    ],
  },
  {
    name: 'Reference',
    groups: [
      {
        name: 'Reference',
        pages: [
          ['docs/commands.md', 'Commands'],
          ['docs/config-rules.md', 'Rules on the configs'],
          ['docs/problems.md', 'Problems'],
          ['docs/faults.md', 'Faults of an installation'],
          ['docs/releases.md', 'Releases'],
        ],
        more: [
          ['docs/commands/configure.md', 'Commands: Configure'],
          ['docs/commands/build.md', 'Commands: Build'],
          ['docs/commands/review.md', 'Commands: Review'],
          ['docs/commands/install.md', 'Commands: Install'],
          ['docs/commands/fleet.md', 'Commands: Fleet'],
          ['docs/commands/advanced.md', 'Commands: Advanced'],
          ['README.md', 'README'],
          ['docs/graph.md', 'The asset graph'],
          ['docs/aio.md', 'The all-in-one control plane'],
          ['CHANGELOG.md', 'Changes'],
        ],
      },
    ],
  },
  {
    name: 'Background',
    groups: [
      {
        name: 'Background',
        pages: [
          ['docs/boot-flow.md', 'Boot flow'],
          ['SECURITY.md', 'Security'],
        ],
        more: [
          ['CONTRIBUTING.md', 'Contributing'],
          ['docs/control-plane.md', 'The control plane'],
          ['docs/single-node-limits.md', 'Limits of a single node'],
          ['docs/single-node-operators.md', 'Single-node production'],
          ['docs/architecture.md', 'Architecture'],
          ['docs/testing.md', 'Testing'],
          ['docs/lab.md', 'Boot flow laboratory'],
          ['docs/dependencies.md', 'Dependencies'],
          ['bench/README.md', 'Measurements'],
          ['site/decisions.md', 'Decisions'],
        ],
      },
    ],
  },
];
