import eslint from '@eslint/js';
import globals from 'globals';
import tseslint from 'typescript-eslint';

const impure = [
  {
    selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
    message: 'The clock comes from the context.',
  },
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: 'The clock comes from the context.',
  },
  {
    selector: "MemberExpression[object.name='Math'][property.name='random']",
    message: 'Chance comes from the context.',
  },
  { selector: 'TSNonNullAssertion', message: 'Handle the missing case.' },
];

/** A value of JSON.parse and an empty list need their type at the place. */
const cast = {
  selector:
    "TSAsExpression:not([typeAnnotation.typeName.name='const'], [expression.elements.length=0], [expression.callee.object.name='JSON'])",
  message: 'Read the value with a function of formats/, or give it a better type.',
};

/** Files with casts. */
const casters = [
  // Readers of foreign formats.
  'src/formats/**',
  // Values of a library, a stream or another thread, which have no type or a wrong one.
  'src/{cli,cli/program,fleet/threads/workers,run/effects/run-program}.ts',
  'src/remote/{http/kept-connections,redfish/bmc-connection,ssh/ssh}.ts',
  'src/serve/{media/shared-image,page/page-routes}.ts',
  // Generic types that the compiler cannot relate.
  'src/{core/map-record,graph/asset,graph/engine,cli/fleet/reinstall/reinstall-options}.ts',
];

const bareTimeouts = [
  "Property[key.name='timeout'] > Literal[raw=/^[0-9]/]",
  'CallExpression[callee.name=/^(it|test|(before|after)(All|Each))$/] > Literal[raw=/^[0-9]/].arguments',
  'CallExpression[callee.callee.object.name=/^(it|test|describe)$/] > Literal[raw=/^[0-9]/].arguments',
].map((selector) => ({ selector, message: 'Use scaledMs: machines differ in speed.' }));

/** What may know the process it runs in; other modules reach the network through a package. */
const aware = ['src/run/effects/{clock,command-line}.ts', 'src/cli.ts', 'src/cli/**', 'src/disk/**'];

/** Every other file reads by readBelow, readOwnFile, readNamedFile or cachedInputs, and writes by commit or replaceFile. */
const openers = [
  // These open what was made or looked at by a held folder, a lock or a draft of their own.
  'src/disk/{lock,bundle,program-files,image,payload,block-device,file-systems}/*.ts',
  'src/disk/{commit,write-durably,held-folder,new-file,pending-plan,probe,replace-file,replace-tree}.ts',
  'src/serve/media/shared-image.ts',
  // These are the readers.
  'src/disk/{regular-file,file-digest,named-file,read-inputs,read-texts,source-text}.ts',
  'src/disk/external-files/read-reference.ts',
  'src/disk/receipt/file-below.ts',
  // These read what an option or a variable names, which may be a link to anywhere.
  'src/disk/state/state-file.ts',
  'src/disk/receipt/{media-receipt,read-receipt}.ts',
  'src/{disk/receipt/receipt-signature,remote/object-store/{shared-config,web-identity},remote/kubernetes/kubeconfig-access}.ts',
];

const opensFiles = {
  paths: [
    {
      name: 'node:fs',
      importNames: [
        ...['openSync', 'readFileSync', 'writeFileSync', 'appendFileSync', 'copyFileSync'],
        ...['open', 'readFile', 'writeFile', 'createReadStream', 'createWriteStream', 'promises'],
      ],
      message: 'Read by readBelow, write by commit or replaceFile: a link may lead out of the folder.',
    },
    { name: 'node:fs/promises', message: 'Use the functions of src/disk.' },
  ],
  patterns: [
    {
      group: ['**/regular-file.js'],
      importNames: ['readRegularFile'],
      message: 'Use readBelow: a link may lead out of the folder.',
    },
  ],
};

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', 'coverage/', '.cache/', 'templates/!(page)/', '**/*.generated.ts'] },
  eslint.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: {
          allowDefaultProject: [
            '.dependency-cruiser.mjs',
            'eslint.config.js',
            'scripts/*.mjs',
            'bench/*.mjs',
          ],
        },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      'no-restricted-syntax': ['error', ...impure, cast],
      'no-restricted-globals': ['error', 'process', 'console', 'fetch'],
      // Inputs and terminal output contain control characters, and several readers look for them.
      'no-control-regex': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
    },
  },
  { files: ['src/**'], rules: { 'max-params': ['error', 4] } },
  {
    files: [...aware, 'test/**', 'bench/**', '*.config.ts'],
    rules: { 'no-restricted-globals': 'off', 'no-restricted-syntax': 'off' },
  },
  {
    files: aware,
    ignores: casters,
    rules: { 'no-restricted-syntax': ['error', cast] },
  },
  {
    files: casters,
    ignores: aware,
    rules: { 'no-restricted-syntax': ['error', ...impure] },
  },
  {
    files: ['test/**/*.{ts,mts}'],
    rules: { 'no-restricted-syntax': ['error', ...bareTimeouts] },
  },
  {
    files: ['src/**/*.ts'],
    ignores: openers,
    rules: { 'no-restricted-imports': ['error', opensFiles] },
  },
  {
    files: aware,
    rules: { 'no-restricted-globals': ['error', 'fetch'] },
  },
  {
    files: ['**/*.{mjs,cjs}', 'eslint.config.js', 'templates/page/*.js'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: globals.node },
    rules: { 'no-restricted-globals': 'off' },
  },
  {
    files: ['templates/page/*.js'],
    languageOptions: { globals: globals.browser },
  },
  {
    files: ['**/*.cjs'],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
);
