using Gateway.Loadtest.Checks;
using Gateway.Loadtest.Machine;

namespace Gateway.Loadtest.Scenarios.Rest;

/// <summary>One column.</summary>
/// <param name="Server">Whose; empty: the gateway.</param>
/// <param name="Part">The kind of request.</param>
/// <param name="Shape">Its connections.</param>
/// <param name="IsCold">The server was.</param>
/// <param name="Window">When.</param>
/// <param name="Requests">Answered meanwhile.</param>
/// <param name="RoundTrip">Of those.</param>
internal sealed record RestMeasured(
    string Server, RestPart Part, LoadShape Shape, bool IsCold, Window Window, long Requests, Histogram RoundTrip)
{
    public string Column => $"{Server}{Part.Name}, {(IsCold ? Shape.Cold : Shape.Warm)}";

    public bool IsEmpty => Part.Name == RestPart.Empty;

    /// <summary>Cores of the server without clients.</summary>
    public double IdleCores { get; set; }

    public RestFaults Faults { get; set; } = new();

    public double PerSecond => Requests / Window.Seconds;

    public double ServerCpuSeconds => Window.ServerCpuSeconds - (IdleCores * Window.Seconds);

    /// <summary>Requests for each second of a core of the server.</summary>
    public double PerCore => Requests / ServerCpuSeconds;
}
