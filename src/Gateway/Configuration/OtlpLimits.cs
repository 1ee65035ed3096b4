using Gateway.Codec;

namespace Gateway.Host.Configuration;

/// <summary>The limits on the cost of export by OTLP.</summary>
[CopiedAtStart]
internal sealed record OtlpLimits
{
    /// <summary>Spans, and as many log records, that wait for the collector; further ones are dropped and counted.
    /// </summary>
    public int MaxOtlpQueueLength { get; init; } = 2_048;

    /// <summary>Requests in a second that are traced because their callers ask for it; above it Otlp:SampleRatio
    /// decides.</summary>
    public int MaxAskedTracesPerSecond { get; init; } = 100;
}
