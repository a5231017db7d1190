/**
 * Who may import whom: a file imports from its own slice and from groups to the left of its own, never from its right
 * or its neighbours. docs/architecture.md draws the same picture.
 */
const GROUPS = [
  ['kernel'],
  ['settings', 'observability'],
  ['money'],
  ['storage'],
  ['corridors', 'rates', 'ledger', 'accounts'],
  ['webhooks', 'providers', 'documents', 'api-logs', 'soft-limits', 'receipts', 'screening'],
  ['senders', 'account-checks'],
  ['recipients', 'payins', 'payout-methods', 'holds', 'onboarding'],
  ['transactions'],
  ['reviews', 'listeners'],
  ['http', 'workers', 'operator'],
  ['compose'],
  ['cli'],
];

const slice = (name) => `^server/src/${name}/`;
const anyOf = (names) => `^server/src/(${names.join('|')})/`;

const directions = GROUPS.flatMap((group, index) => {
  const right = GROUPS.slice(index + 1).flat();
  return group.map((name) => ({
    name: `directions-${name}`,
    comment: `${name} imports only from itself and from slices to its left`,
    severity: 'error',
    from: { path: slice(name) },
    to: { path: anyOf([...right, ...group.filter((other) => other !== name), '$none']) },
  }));
});

module.exports = {
  forbidden: [
    ...directions,
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'sql-stays-in-its-slice',
      comment: "a store is used by its own slice, and by transactions, which puts the slices' rows together",
      severity: 'error',
      from: { path: '^server/src/([^/]+)/', pathNot: '^server/src/transactions/' },
      to: { path: '^server/src/.+store\\.ts$', pathNot: '^server/src/$1/' },
    },
    {
      name: 'the-helper-of-receivers-stands-alone',
      comment: 'receivers install it for its few functions; nothing of the service comes with it, nor does it use it',
      severity: 'error',
      from: { path: slice('receiver') },
      to: { pathNot: '^(node:)?crypto$' },
    },
    {
      name: 'the-helper-of-receivers-is-for-receivers',
      severity: 'error',
      from: { path: '^server/src/(?!receiver/)' },
      to: { path: slice('receiver') },
    },
    {
      name: 'tests-are-not-imported',
      severity: 'error',
      from: { path: '^server/src', pathNot: '\\.test\\.ts$' },
      to: { path: '(\\.test\\.ts$|^(test|bench|prove|simulate|scripts)/)' },
    },
    {
      name: 'no-development-dependencies-at-run-time',
      severity: 'error',
      from: { path: '^server/src', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg'] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.test\\.ts$' },
  },
};
