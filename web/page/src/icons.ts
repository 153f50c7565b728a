// Small signs for classes of objects.

const NAMESPACE = "http://www.w3.org/2000/svg";

/** Paths on a field of 16 by 16, drawn as lines. */
const PATHS: Record<string, string> = {
  header: "M3 2.5h10v11H3zM3 5.5h10M5.5 8h5M5.5 10.5h5",
  names: "M3 4h10M3 8h10M3 12h6",
  name: "M5 12 8 4l3 8M6.2 9.4h3.6",
  imports: "M13 3v10M3 8h7M7 5l3 3-3 3",
  import: "M12 4v8M4 8h5M7 6l2 2-2 2",
  exports: "M3 3h10v10H3zM3 7h10M7 7v6",
  table: "M2.5 3.5h11v9h-11zM2.5 6.5h11M6 6.5v6",
  thumbnail: "M2.5 3.5h11v9h-11zM3 11l3-3 2.5 2.5L11 8l2.5 2.5",
  class: "M8 2.5 13 5.5v5L8 13.5 3 10.5v-5zM3 5.5 8 8.5l5-3M8 8.5v5",
  function: "M10.5 3.5c-2-.6-2.6.7-2.8 2L7 10.500c-.3 1.500-1 2.500-2.500 2M5.500 7h4",
  property: "M3.500 8h9M8 3.500v9",
  package: "M2.500 4.500h4l1.500 1.500h5.500v6.500h-11z",
  texture: "M2.500 2.500h11v11h-11zM2.500 8h11M8 2.500v11",
  sound: "M3 6.500h2.500L9 3.500v9L5.500 9.500H3zM11 6c1 1.200 1 2.800 0 4M12.700 4.300c2 2.200 2 5.200 0 7.400",
  text: "M4 2.500h8v11H4zM6 5.500h4M6 8h4M6 10.500h2.500",
  mesh: "M8 2.500 13.500 12h-11zM8 2.500V12M5.200 7.300 13.500 12",
  level: "M2.500 12.500 6 6.500l2.500 3.500 1.500-2 3.500 4.500zM11 4.500a1 1 0 1 0 .1 0",
  material: "M8 2.500a5.500 5.500 0 1 0 .1 0M8 2.500c3 3 3 8 0 11",
  object: "M3.500 3.500h9v9h-9z",
};

function kindOf(icon: string): string {
  if (icon in PATHS) return icon;
  const lower = icon.toLowerCase();
  const rules: [RegExp, string][] = [
    [/texture|cubemap|rendertarget|palette/, "texture"],
    [/material|shader/, "material"],
    [/sound|music|audio/, "sound"],
    [/mesh|polys|^model/, "mesh"],
    [/property$/, "property"],
    [/function|state$|^event/, "function"],
    [/class$|struct$|enum$/, "class"],
    [/^package$/, "package"],
    [/level|world/, "level"],
    [/text|string|metadata/, "text"],
    [/table/, "table"],
  ];
  return rules.find(([rule]) => rule.test(lower))?.[1] ?? "object";
}

/** The sign of a row of the tree. */
export function icon(name: string): SVGSVGElement {
  const kind = kindOf(name);
  const svg = document.createElementNS(NAMESPACE, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", `icon icon-${kind}`);
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(NAMESPACE, "path");
  path.setAttribute("d", PATHS[kind]);
  svg.append(path);
  return svg;
}
