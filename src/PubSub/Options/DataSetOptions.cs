namespace Gateway.PubSub.Options;

/// <summary>A PublishedDataSet. Source: Part 14 §6.2.3.</summary>
public sealed record DataSetOptions
{
    private const double MaxSamplingIntervalMs = 86_400_000;

    public string Name { get; init; } = "";

    /// <summary>Node ids, browse paths, or a path that ends in <c>/*</c> (the Variables right below) or <c>/**</c> (all
    /// below).</summary>
    public IReadOnlyList<string> Nodes { get; init; } = [];

    /// <summary>Ms; 0 takes every change.</summary>
    public double SamplingIntervalMs { get; init; }

    /// <summary>Absolute, of numbers; 0 publishes each change. Source: Part 4 §7.22.2.</summary>
    public double Deadband { get; init; }

    /// <summary>A message with all fields comes at least every so many publishing intervals; 1: each message is one.
    /// </summary>
    public int KeyFrameCount { get; init; } = 10;

    internal void Validate(OptionErrors errors)
    {
        errors.Demand(TopicNames.IsLevel(Name), nameof(Name), TopicNames.Expected);
        errors.Demand(Nodes.Count > 0, nameof(Nodes), "names no node");
        errors.Demand(
            SamplingIntervalMs is >= 0 and <= MaxSamplingIntervalMs, nameof(SamplingIntervalMs),
            $"{SamplingIntervalMs} is not between 0 and {MaxSamplingIntervalMs} ms");
        errors.Demand(Deadband is >= 0 and < double.PositiveInfinity, nameof(Deadband), $"{Deadband} is below 0");
        errors.Demand(KeyFrameCount is >= 1, nameof(KeyFrameCount), $"{KeyFrameCount} is below 1");
    }
}
