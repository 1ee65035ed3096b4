namespace Gateway.Host.Configuration;

/// <summary>The section <c>Otlp</c>: where traces, metrics and logs go.</summary>
internal sealed record OtlpOptions
{
    public const double DefaultSampleRatio = 0.01;

    /// <summary>Null: nothing is exported.</summary>
    public Uri? Endpoint { get; init; }

    /// <summary>True: gRPC; false: HTTP with protobuf.</summary>
    public bool IsGrpc { get; init; } = true;

    /// <summary>The share of requests that are traced: 0 to 1.</summary>
    public double SampleRatio { get; init; } = DefaultSampleRatio;

    public bool IsOn => Endpoint is not null;
}
