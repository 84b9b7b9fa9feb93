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

/** What may know the process it runs in; the network is reached by other rooms, and there through a package. */
const aware = [
  'src/effects/clock.ts',
  'src/cli.ts',
  'src/cli/**',
  'src/command-line/**',
  'src/fleet-commands/**',
  'src/fleet-command-line/**',
  'src/disk/**',
];

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', 'coverage/', '.cache/', 'templates/!(page)/'] },
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
      'no-restricted-syntax': ['error', ...impure],
      'no-restricted-globals': ['error', 'process', 'console', 'fetch'],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
    },
  },
  {
    files: [...aware, 'test/**', 'bench/**', '*.config.ts'],
    rules: { 'no-restricted-globals': 'off', 'no-restricted-syntax': 'off' },
  },
  {
    files: aware,
    rules: { 'no-restricted-globals': ['error', 'fetch'] },
  },
  {
    files: ['**/*.{mjs,cjs}', 'eslint.config.js', 'templates/page/*.js'],
    extends: [tseslint.configs.disableTypeChecked],
    rules: { 'no-restricted-globals': 'off' },
  },
  {
    files: ['**/*.cjs'],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
);
