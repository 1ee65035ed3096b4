using System.Globalization;
using System.Security;
using System.Text;

namespace Gateway.Loadtest.Reports;

/// <summary>
/// Line diagrams below each other over one x axis, as an SVG that stands alone: no script, no font of its own, readable
/// on a light and on a dark page (prefers-color-scheme).
/// </summary>
/// <param name="title">Above all.</param>
/// <param name="xTitle">Below all, with its unit.</param>
internal sealed class SvgPlot(string title, string xTitle)
{
    private const int Width = 900;
    private const int Left = 80;
    private const int Right = 20;
    private const int Top = 50;
    private const int PanelHeight = 170;
    private const int PanelGap = 56;
    private const int Bottom = 50;

    /// <summary>Colours by the order of a panel's series: readable on both pages, and apart for the colour-blind.
    /// </summary>
    private const string Style =
        """
        <style>
        svg { font: 13px system-ui, sans-serif; --ink: #222; --grid: #ddd; --page: #fff;
          --s0: #0b62a8; --s1: #c2410c; --s2: #6b7280; --s3: #15803d }
        @media (prefers-color-scheme: dark) { svg { --ink: #e6e6e6; --grid: #3a3f47; --page: #14171c;
          --s0: #5aa9e6; --s1: #f2a65a; --s2: #a3a9b3; --s3: #6fcf97 } }
        .page { fill: var(--page) } text { fill: var(--ink) } .title { font-size: 15px; font-weight: 600 }
        .grid { stroke: var(--grid); stroke-width: 1 } .axis { stroke: var(--ink); stroke-width: 1 }
        polyline { fill: none; stroke-width: 1.8; stroke-linejoin: round } .dashed { stroke-dasharray: 6 4 }
        .s0 { stroke: var(--s0) } .s1 { stroke: var(--s1) } .s2 { stroke: var(--s2) } .s3 { stroke: var(--s3) }
        .end { text-anchor: end } .middle { text-anchor: middle }
        </style>
        """;

    private const int Colours = 4;

    public List<SvgPanel> Panels { get; } = [];

    public string Write()
    {
        var height = Top + (Panels.Count * (PanelHeight + PanelGap)) - PanelGap + Bottom;
        var text = new StringBuilder();
        Add(text, $"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {Width} {height}\" role=\"img\">");
        Add(text, $"<title>{Escaped(title)}</title>");
        text.AppendLine(Style);
        Add(text, $"<rect class=\"page\" width=\"{Width}\" height=\"{height}\"/>");
        Add(text, $"<text class=\"title\" x=\"{Left}\" y=\"18\">{Escaped(title)}</text>");
        var x = AxisScale.For(LargestOf(Panels.SelectMany(panel => panel.Series), point => point.X));
        for (var i = 0; i < Panels.Count; i++)
            WritePanel(text, Panels[i], x, Top + (i * (PanelHeight + PanelGap)));
        var middle = (Left + Width - Right) / 2;
        Add(text, $"<text class=\"middle\" x=\"{middle}\" y=\"{height - 12}\">{Escaped(xTitle)}</text>");
        return text.AppendLine("</svg>").ToString();
    }

    private static void WritePanel(StringBuilder text, SvgPanel panel, AxisScale x, int top)
    {
        var y = AxisScale.For(LargestOf(panel.Series, point => point.Y));
        var bottom = top + PanelHeight;
        var unit = panel.Unit.Length > 0 ? $", {panel.Unit}" : string.Empty;
        Add(text, $"<text x=\"{Left}\" y=\"{top - 6}\">{Escaped(panel.Title + unit)}</text>");
        for (var i = 0; i <= y.Steps; i++)
        {
            var at = Place(i * y.Step, y, bottom, -PanelHeight);
            Add(text, $"<line class=\"grid\" x1=\"{Left}\" x2=\"{Width - Right}\" y1=\"{at}\" y2=\"{at}\"/>");
            Add(text, $"<text class=\"end\" x=\"{Left - 8}\" y=\"{at}\" dy=\"4\">{Number(i * y.Step)}</text>");
        }

        for (var i = 0; i <= x.Steps; i++)
        {
            var at = Place(i * x.Step, x, Left, Width - Left - Right);
            Add(text, $"<line class=\"axis\" x1=\"{at}\" x2=\"{at}\" y1=\"{bottom}\" y2=\"{bottom + 4}\"/>");
            Add(text, $"<text class=\"middle\" x=\"{at}\" y=\"{bottom + 18}\">{Number(i * x.Step)}</text>");
        }

        Add(text, $"<line class=\"axis\" x1=\"{Left}\" x2=\"{Width - Right}\" y1=\"{bottom}\" y2=\"{bottom}\"/>");
        for (var i = 0; i < panel.Series.Count; i++)
            WriteSeries(text, panel.Series[i], i % Colours, x, y, bottom);
        WriteLegend(text, panel, top - 6);
    }

    private static void WriteSeries(
        StringBuilder text, SvgSeries series, int colour, AxisScale x, AxisScale y, int bottom)
    {
        var points = new StringBuilder();
        foreach (var point in series.Points.Append((double.NaN, double.NaN)))
        {
            if (double.IsFinite(point.Item1) && double.IsFinite(point.Item2))
            {
                var across = Place(point.Item1, x, Left, Width - Left - Right);
                points.Append(across).Append(',').Append(Place(point.Item2, y, bottom, -PanelHeight)).Append(' ');
            }
            else if (points.Length > 0)
            {
                var line = series.IsDashed ? $"s{colour} dashed" : $"s{colour}";
                Add(text, $"<polyline class=\"{line}\" points=\"{points.ToString().TrimEnd()}\"/>");
                points.Clear();
            }
        }
    }

    /// <summary>To the right of the title, from the right end: a stroke and the name of each.</summary>
    private static void WriteLegend(StringBuilder text, SvgPanel panel, int baseline)
    {
        const int Stroke = 24;
        const double CharacterWidth = 7.2;
        double right = Width - Right;
        for (var i = panel.Series.Count - 1; i >= 0; i--)
        {
            var series = panel.Series[i];
            var begin = right - (series.Name.Length * CharacterWidth) - Stroke - 6;
            var line = series.IsDashed ? $"s{i % Colours} dashed" : $"s{i % Colours}";
            var y = baseline - 4;
            Add(text, $"<polyline class=\"{line}\" points=\"{begin:0.#},{y} {begin + Stroke:0.#},{y}\"/>");
            Add(text, $"<text x=\"{begin + Stroke + 5:0.#}\" y=\"{baseline}\">{Escaped(series.Name)}</text>");
            right = begin - 14;
        }
    }

    private static string Place(double value, AxisScale scale, double zero, double length) =>
        (zero + (length * Math.Clamp(value / scale.End, 0, 1))).ToString("0.#", CultureInfo.InvariantCulture);

    private static double LargestOf(IEnumerable<SvgSeries> series, Func<(double X, double Y), double> part) =>
        series.SelectMany(one => one.Points).Select(part).Where(double.IsFinite).DefaultIfEmpty(0).Max();

    private static string Number(double value) => value.ToString("#,0.##", CultureInfo.InvariantCulture);

    private static string Escaped(string value) => SecurityElement.Escape(value) ?? string.Empty;

    private static void Add(StringBuilder text, FormattableString line) =>
        text.AppendLine(line.ToString(CultureInfo.InvariantCulture));
}
