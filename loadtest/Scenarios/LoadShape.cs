using System.Globalization;

namespace Gateway.Loadtest.Scenarios;

/// <summary>How a load lies on its connections. A column of figures is named by it, and by whether the gateway was cold
/// (just started, its first seconds under this load) or warm.</summary>
/// <param name="Connections">One session each.</param>
/// <param name="UnderWay">Requests, or messages, at a time on each.</param>
internal sealed record LoadShape(int Connections, int UnderWay)
{
    public string Cold => Text("cold");

    public string Warm => Text("warm");

    private string Text(string state) =>
        string.Create(CultureInfo.InvariantCulture, $"{Connections:N0} × {UnderWay}, {state}");
}
