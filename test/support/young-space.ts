/** Code of a function `widened()`: how many megabytes the room for young garbage has, once much has lived on. */
export const widenedCode = `
  function widened() {
    let living = [];
    for (let made = 0; made < 1e6; made += 1) {
      living.push({ made });
      if (living.length === 60_000) living = living.slice(30_000);
    }
    const spaces = require('node:v8').getHeapSpaceStatistics();
    return spaces.find((each) => each.space_name === 'new_space').space_size / 2 ** 20;
  }`;
