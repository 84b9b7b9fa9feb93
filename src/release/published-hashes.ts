/** SHA-256 of one program, by the architecture name in its URL. The source has no hashes for s390x. */
export type HashesByArchitecture = Readonly<Partial<Record<string, string>>>;

/** Kubernetes programs that a node needs in addition to container images. */
export type PublishedProgram = 'kubelet' | 'kubectl';

/**
 * SHA-256 (hex) of the programs on https://dl.k8s.io, by version, newest first: the newest patch of each minor with known flags,
 * and the default version. Source: kubernetes-sigs/kubespray, checksums.yml of its release branches 2.22 to 2.31, 2026-11;
 * each equals the program's published `.sha256` file.
 */
export const kubernetesHashes: Readonly<
  Record<string, Readonly<Record<PublishedProgram, HashesByArchitecture>>>
> = {
  '1.36.4': {
    kubelet: {
      amd64: 'cf2562db46c48ab84cc3791540778ee7fb1a0a008529adbb434723dd02ed8b4b',
      arm64: 'fd53ea3fcbd077844f50a3c67e9b52f62972a563674956bab0c0f4fb7ea37d50',
      ppc64le: '6f73890386ef6db1f023a33c4b5ff46c4d138528b12c2d6ea0512239142b0afa',
    },
    kubectl: {
      amd64: '8b8f088da2dab964f853b38464033b1be15ede2839eca751482357c45abdd05a',
      arm64: '0ecf44450ee6063bf19dd166a103ee6df4a9034455c2abce626e6eea657d73fb',
      ppc64le: '5b88a500de9335314dd2634fa7d7a7ca19b19e9b4236f7343060c09fd5d54658',
    },
  },
  '1.36.3': {
    kubelet: {
      amd64: '46707a53209f826ad0f0d62371ac69cd00e78fd9a8176cf5f6f87f18f7f8b718',
      arm64: '57205a5daf5883873d87b4914e1e00bdd7707acd075714788cfb0fc1f60bc414',
      ppc64le: '6934c38bfdbdd5c0e6ad57746bac2d13d80c102281504fabf1a124734b76d598',
    },
    kubectl: {
      amd64: 'ebbd080e7c2e275093b55915722043257eb24004363e20acb3c4d71919f88336',
      arm64: '3d86f24401c41ae5a46ac50eef8865fe891d3647d324a0836f6c63757a126e62',
      ppc64le: 'aee56eaced85e2eab925e86c05e3c222c4611ce045073d110f930abd3da8b193',
    },
  },
  '1.35.8': {
    kubelet: {
      amd64: '6971b9f95e54dbed67a2271abe6e78f8cc2894494649f3cf39e4b25a82dca923',
      arm64: '7744f84c49df6dff7d0a0471f9acef31568c02459659de83aa279cf3a04b1714',
      ppc64le: '38faf484eabfbe3b3b7f9c0034d084259924760c16a9d5dc58a2d7e11ba7b408',
    },
    kubectl: {
      amd64: '874d5e72dbb819f43cff16bcd1e4f8bac5b7f2361fe1e55049b0a6c676fb0cbf',
      arm64: 'cc749967b62f4422260bc9c0aa7a7c55f45175ae38cb8d95767b5d2b7e04c1fd',
      ppc64le: 'bf8736dc1158c51533e16c070330da570e6ed5a9f5a42b10f55dab4b748d3ef7',
    },
  },
  '1.34.11': {
    kubelet: {
      amd64: '4777a226b2ba3c1d656254bcf3f7ad471bf210042f361094216e51ab4fa9b4b6',
      arm64: 'f12879879481e9af46317c2c82a6dba7d59df78ed095e44e0399643df1c4c8ba',
      ppc64le: 'd9f3b150ee713abac8bee0c58a575900a9743c45e6450c89965483c0f8824e6c',
    },
    kubectl: {
      amd64: '8efbb9435132a190920eb65a47a8c1ecf755ad85ab57a600c9bedbab460bb7a8',
      arm64: '5b045a4712674c88a56fd98eef4285689738b7fbe8735e1b9ee3509521af5cb4',
      ppc64le: '797d445374d1661e4585a142f878ac2d4cad838c143abc3e7d124c546d158333',
    },
  },
  '1.33.13': {
    kubelet: {
      amd64: '0415ef7778646172f7aad830cbe09a7d903461eef9e15cd34193b85d95dfff0d',
      arm64: 'db573f065eb9f9153b60270b209ea7992b79849ecac4387dbda88401fb2ed0ff',
      ppc64le: '784a432bb5d49f74fede3f2c146eeb0104f61de9498038c699379575ba61d589',
    },
    kubectl: {
      amd64: '316d712726d857c20744c57cb36aa47cfc79bc0af7e82cebf3780244b654c073',
      arm64: '9fe8aadd5aab9421978c7ac95de6fad304a3c4c0ce9dbf4127579779e0699080',
      ppc64le: 'e6637479474288f985b6b5ff41f2108b5cafc7cf6838e52e8fe75276156aa791',
    },
  },
  '1.32.13': {
    kubelet: {
      amd64: '4bc04c3f50725fa29ac9f0626c553941cfe07d128b3a313b7f5d176b07ab786e',
      arm64: '46b5b8d313b47aa027e5a874fb8301503e848f313b56f54b9a2697f75409913c',
      ppc64le: '79fd3f73fee9c80f4e7268d060a2a9f7ad62939707e99a3bccf5cd1a834a1844',
    },
    kubectl: {
      amd64: 'db2ae479a63f3665d7f704ab18c0d4d4050144237980763221835b7305703c4c',
      arm64: 'b1f87f196633a89208546d79bfa4e2470bda70e7bf42c4d3adb008ec208da9d1',
      ppc64le: '5925508485f81c2b81993dc05d03f6371d327a2efd679fa3c9224252e6e021b6',
    },
  },
  '1.31.14': {
    kubelet: {
      amd64: 'd0c57fcda647babc5e45f2fad27bbc8be2c325fc3ab9c5b55fb1bb83352da099',
      arm64: 'e2842f132933b990a8cbc285be3a28ff1cd213fe1a3380e24e37b1d2ce5e0ca6',
      ppc64le: '3acc54721d6ec17262377b959e0774084478eed798018ca44d7aecaa2af50e3b',
    },
    kubectl: {
      amd64: '8791ec7c8966b61420d55103a5fb948de9f0ca3d7306d789734975ad9704bdb0',
      arm64: '3abb0c2d7121e1833831f56fd857a93de386e76d14b64baf86220d0afe495209',
      ppc64le: 'c5f393d51b631c2afb93261d9eef3385788c046d1d99e45c0b9ad1746637ff7e',
    },
  },
  '1.30.14': {
    kubelet: {
      amd64: '46baa60748b179164e80f5565d99dad642d554fb431925d211ffa921b917d5c7',
      arm64: 'b70b2dbd8ab4e64deb8522eaf7eb01f038abba3cfad3b7dd20a9e354bbc1b9a5',
      ppc64le: '80cfddf5980fd5b6ec5b9ec97f5a82c2508f27e148faddeaebb374fe7c66b1b1',
    },
    kubectl: {
      amd64: '7ccac981ece0098284d8961973295f5124d78eab7b89ba5023f35591baa16271',
      arm64: 'a32e46ae15fe41292dc6a7cd76beba7104282a5a3fa9e3686319000a537f4f5d',
      ppc64le: '49ae5c2259eb196e234da6cc0ca5654f97a1042600c4edb756a24bc06f35b319',
    },
  },
  '1.29.15': {
    kubelet: {
      amd64: 'cd0228a5820f98bbb6371344e5d6645f6486d767c30f927a1d0ec8d17eca4da5',
      arm64: '6bba172d4712fd3d01c6df319db7752a57b47aeea1856b23b3d65a0122a346ce',
      ppc64le: '761077857ccc67d81dff5147ed3deb4f38275adf0fe867c848cabc30a8fe5d76',
    },
    kubectl: {
      amd64: '3473e14c7b024a6e5403c6401b273b3faff8e5b1fed022d633815eb3168e4516',
      arm64: 'a41984dc0ff34ee05f1283ebd9b3121c003b3469b97214738246faa5b6788f7c',
      ppc64le: '11d0c6721246dbe32023f10a3ed44d1adeb9133440518b33723400a5cc6a1b9d',
    },
  },
  '1.28.15': {
    kubelet: {
      amd64: 'b07a27fd5bd2419c9c623de15c1dd339af84eb27e9276c81070071065db00036',
      arm64: '7dfb8087ee0eff9a3f667e1ec749b5a57a0848e59ce9ed42ad00e7ece1c55274',
      ppc64le: '67992afe37fcea6b36be5d6ae344622ff99b7a6fb2b8dfebbf882ad19535535b',
    },
    kubectl: {
      amd64: '1f7651ad0b50ef4561aa82e77f3ad06599b5e6b0b2a5fb6c4f474d95a77e41c5',
      arm64: '7d45d9620e67095be41403ed80765fe47fcfbf4b4ed0bf0d1c8fe80345bda7d3',
      ppc64le: '8ae156fbeb6167e22c02a044361997b6725aa3cb913165ba4f9fb9f483a30f88',
    },
  },
  '1.27.16': {
    kubelet: {
      amd64: '1b390641b47c6f9265ed8d19b48a8aa334ac28c825ad7ee8201717a5d9e8b759',
      arm64: '2d3cfefc64e1ff5f1e1b8bcba0589a4a9b247f7bcd43cb78645f346687cbbef3',
      ppc64le: '28737c112ded48640d5086316e7ce36f3cba29bf1a927b6d04aab65ada64d98e',
    },
    kubectl: {
      amd64: '97ea7cd771d0c6e3332614668a40d2c5996f0053ff11b44b198ea84dba0818cb',
      arm64: '2f50cb29d73f696ffb57437d3e2c95b22c54f019de1dba19e2b834e0b4501eb9',
      ppc64le: '78f3d50e10813a5e99ad4ea42282541634bfd1db86c4054d5eb0a2a750c43936',
    },
  },
};

/** The newest CNI plugins with known hashes; any version from 1.0 works. Source: as above. */
export const cniPluginHashes: { readonly version: string; readonly hashes: HashesByArchitecture } = {
  version: '1.9.1',
  hashes: {
    amd64: 'b98f74a0f8522f0a83867178729c1aa70f2158f90c45a2ca8fa791db1c76b303',
    arm64: '56171987d3947707c3563db2f4001bccaf50fd63468611b9f3cbecb1375ee7ec',
    ppc64le: '44b743ff6e4dc145eb4e5280e49eca182fcc586d8d52ab431d5904b66e5ca6f7',
  },
};
