namespace Gateway.PubSub.Options;

/// <summary>A PublishedDataSet. Source: Part 14 §6.2.3.</summary>
public sealed record DataSetOptions
{
    private const double MaxSamplingIntervalMs = 86_400_000;

    public string Name { get; init; } = "";

    /// <summary>Node ids, browse paths, or a path that ends in <c>/*</c> (the Variables right below) or <c>/**</c> (all
    /// below).</summary>
    public IReadOnlyList<string> Nodes { get; init; } = [];

    /// <summary>Fields with settings of their own. They come first, and <see cref="Nodes"/> leaves them out.</summary>
    public IReadOnlyList<FieldOptions> Fields { get; init; } = [];

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
        errors.Demand(Nodes.Count + Fields.Count > 0, nameof(Nodes), "names no node");
        for (var i = 0; i < Fields.Count; i++)
            Fields[i].Validate(errors.Below($"Fields:{i}"));
        errors.DemandUnique(
            Fields.Select(static (one, i) => one.Name.Length > 0 ? one.Name : $"/{i}"), nameof(Fields), "Name");
        ValidateItem(errors, SamplingIntervalMs, Deadband);
        errors.Demand(KeyFrameCount is >= 1, nameof(KeyFrameCount), $"{KeyFrameCount} is below 1");
    }

    internal static void ValidateItem(OptionErrors errors, double samplingIntervalMs, double deadband)
    {
        errors.Demand(
            samplingIntervalMs is >= 0 and <= MaxSamplingIntervalMs, nameof(SamplingIntervalMs),
            $"{samplingIntervalMs} is not between 0 and {MaxSamplingIntervalMs} ms");
        errors.Demand(deadband is >= 0 and < double.PositiveInfinity, nameof(Deadband), $"{deadband} is below 0");
    }
}
