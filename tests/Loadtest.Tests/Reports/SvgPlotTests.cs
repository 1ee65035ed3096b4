using System.Xml.Linq;
using Gateway.Loadtest.Reports;

namespace Gateway.Loadtest.Tests.Reports;

public sealed class SvgPlotTests
{
    private static readonly XNamespace Svg = "http://www.w3.org/2000/svg";

    [Fact]
    public void Write_TwoPanels_WellFormedWithTitlesUnitsAndLegend()
    {
        var document = XDocument.Parse(Plot().Write());

        var texts = document.Descendants(Svg + "text").Select(text => text.Value).ToArray();
        Assert.Contains("A <storm> & more", texts);
        Assert.Contains("rate, 1/s", texts);
        Assert.Contains("clients", texts);
        Assert.Contains("seconds", texts);
        Assert.Contains("goodput", texts);
        Assert.Contains("allowed", texts);
        Assert.DoesNotContain(document.Descendants(), node => node.Name.LocalName == "script");
        Assert.Contains("prefers-color-scheme: dark", document.Descendants(Svg + "style").Single().Value);
    }

    [Fact]
    public void Write_NotANumber_InterruptsTheLine()
    {
        var lines = Lines(XDocument.Parse(Plot().Write()), "s0");

        // Two parts and the legend's stroke; the other panel's one and its stroke.
        Assert.Equal(5, lines.Length);
        Assert.Contains(lines, points => points.Split(' ').Length == 2);
    }

    [Fact]
    public void Write_Points_InsideTheirPanel()
    {
        var points = Lines(XDocument.Parse(Plot().Write()), "s0")
            .SelectMany(line => line.Split(' '))
            .Select(point => Array.ConvertAll(
                point.Split(','), number => double.Parse(number, System.Globalization.CultureInfo.InvariantCulture)));

        Assert.All(points, point =>
        {
            Assert.InRange(point[0], 80, 880);
            Assert.True(point[1] > 0);
        });
    }

    private static string[] Lines(XDocument document, string style) =>
        [.. document.Descendants(Svg + "polyline")
            .Where(line => line.Attribute("class")!.Value == style)
            .Select(line => line.Attribute("points")!.Value)];

    private static SvgPlot Plot() => new("A <storm> & more", "seconds")
    {
        Panels =
        {
            new SvgPanel("rate", "1/s")
            {
                Series =
                {
                    new SvgSeries("goodput", [(0, 10), (1, 20), (2, double.NaN), (3, 15), (4, 20), (5, 1)]),
                    new SvgSeries("allowed", [(0, 12), (5, 12)]) { IsDashed = true },
                },
            },
            new SvgPanel("clients", "") { Series = { new SvgSeries("waiting", [(0, 0), (5, 1000)]) } },
        },
    };
}
