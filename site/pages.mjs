/**
 * The pages of the site in four kinds: what somebody does who learns, what somebody does who has a task, what is looked up, and what is read
 * to understand. Source: diataxis.fr. Each page of docs/ stands here once, as path and name.
 */
export const kinds = [
  {
    name: 'Tutorial',
    groups: [
      {
        name: 'Tutorial',
        pages: [['docs/tutorial.md', 'From an empty folder to a machine that boots']],
      },
    ],
  },
  {
    name: 'How-to',
    groups: [
      {
        name: 'Start',
        pages: [
          ['docs/install.md', 'Install sno-install'],
          ['docs/image.md', 'Run it as a container'],
          ['docs/verify-release.md', 'Verify a release'],
          ['docs/coming-from.md', 'Coming from another installer'],
          ['docs/import.md', 'Import files of another installer'],
        ],
      },
      {
        name: 'Tasks',
        pages: [
          ['docs/how-to/telco-site.md', 'Bond, VLAN, static address, proxy and mirror'],
          ['docs/how-to/disconnected.md', 'Install without the internet'],
          ['docs/how-to/proxy.md', 'Install behind a proxy'],
          ['docs/how-to/static-network.md', 'Give the node a static address'],
          ['docs/how-to/pxe.md', 'Boot the machine over the network'],
          ['docs/how-to/secrets.md', 'Keep the keys encrypted'],
          ['docs/how-to/gitops.md', 'Change sites by pull request'],
          ['docs/how-to/renewal.md', 'Renew certificates before the first boot'],
          ['docs/how-to/reinstall.md', 'Install a machine again'],
          ['docs/how-to/workers.md', 'Add a worker'],
          ['docs/how-to/fleet.md', 'Make a fleet from a table'],
          ['docs/how-to/aio.md', 'Make a control plane on one machine'],
          ['docs/how-to/support.md', 'Find out why an installation stopped'],
        ],
      },
      {
        name: 'One site',
        pages: [
          ['docs/network.md', 'Describe the network'],
          ['docs/preflight.md', 'Check the network before the boot'],
          ['docs/images.md', 'List the images to mirror'],
          ['docs/references.md', 'Keep secrets in separate files'],
          ['docs/authority.md', 'Use your certificate authority'],
          ['docs/manifests.md', 'Edit and add manifests'],
          ['docs/media.md', 'Make an ISO, a minimal ISO or PXE files'],
          ['docs/wait-for.md', 'Wait for the cluster'],
          ['docs/state.md', 'Encrypt the state and outputs'],
        ],
      },
      {
        name: 'Review',
        pages: [
          ['docs/review.md', 'Read and compare generated files'],
          ['docs/golden.md', 'Keep sites in Git, with golden trees'],
          ['docs/ci.md', 'Run it in pipelines and clusters'],
          ['docs/inspect.md', 'Inspect files and certificates'],
          ['docs/receipts.md', 'Verify outputs and media'],
        ],
      },
      {
        name: 'Many sites',
        pages: [
          ['docs/fleet.md', 'Write a fleet'],
          ['docs/fleet-build.md', 'Build and review a fleet'],
          ['docs/serve.md', 'Serve an ISO to each site'],
          ['docs/fleet-boot.md', 'Boot and watch a fleet'],
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
          ['README.md', 'Commands, inputs, exit codes'],
          ['docs/config-rules.md', 'Rules on the configs'],
          ['docs/problems.md', 'Problems'],
          ['docs/faults.md', 'Faults of an installation'],
          ['docs/releases.md', 'Releases'],
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
        name: 'How it works',
        pages: [
          ['docs/boot-flow.md', 'Boot flow'],
          ['docs/control-plane.md', 'The control plane'],
          ['docs/single-node-operators.md', 'Single-node production'],
          ['SECURITY.md', 'Security'],
        ],
      },
      {
        name: 'How it is made',
        // Those are a page of their own, by their numbers.
        hasDecisions: true,
        pages: [
          ['docs/architecture.md', 'Architecture'],
          ['docs/testing.md', 'Testing'],
          ['docs/lab.md', 'Boot flow laboratory'],
          ['docs/dependencies.md', 'Dependencies'],
          ['bench/README.md', 'Measurements'],
          ['CONTRIBUTING.md', 'Contributing'],
        ],
      },
    ],
  },
];
