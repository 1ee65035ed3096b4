using System.Globalization;
using Gateway.Tests.Clock;

namespace Gateway.Tests.Http;

/// <summary>Tests that read a value at <c>/metrics</c> run alone: gateways of one process have meters of the same
/// names, so that each would show the values of all, and lose its own when another ends.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class OwnMetrics
{
    public const string Name = "own metrics";

    /// <summary>The first value of that name; NaN: not in this scrape. A scrape right behind another is the same.
    /// </summary>
    internal static async Task<double> ReadAsync(RunningGateway gateway, string metric)
    {
        var text = await gateway.Client.GetStringAsync("/metrics");
        var line = text.Split('\n').FirstOrDefault(one =>
            one.StartsWith(metric, StringComparison.Ordinal) && one[metric.Length] is ' ' or '{');
        return line is null ? double.NaN : double.Parse(line.Split(' ')[^1], CultureInfo.InvariantCulture);
    }

    internal static Task UntilAsync(RunningGateway gateway, string metric, Func<double, bool> holds) =>
        Condition.UntilAsync(async () => holds(await ReadAsync(gateway, metric)));
}
