// The Equal Earth projection, which preserves areas (Šavrič, Patterson and Jenny, 2018).

const [a1, a2, a3, a4] = [1.340264, -0.081106, 0.000893, 0.003796];
const root3 = Math.sqrt(3);

/** Projects degrees to a plane: x from -2.71 to 2.71, y from -1.32 (south) to 1.32 (north). */
export function project(latitude, longitude) {
    const theta = Math.asin(root3 / 2 * Math.sin(latitude * Math.PI / 180));
    const squared = theta * theta;
    const sixth = squared * squared * squared;
    const x = 2 * root3 * (longitude * Math.PI / 180) * Math.cos(theta)
        / (3 * (9 * a4 * sixth * squared + 7 * a3 * sixth + 3 * a2 * squared + a1));
    const y = theta * (a4 * sixth * squared + a3 * sixth + a2 * squared + a1);
    return [x, y];
}
