using Gateway.Events.Plain;

namespace Gateway.PubSub.Options;

/// <summary>A PublishedDataSet. Source: Part 14 §6.2.3.</summary>
public sealed record DataSetOptions
{
    private const double MaxSamplingIntervalMs = 86_400_000;
    private const int MaxEventTypes = 50;
    private const int MaxEventFields = 200;

    public string Name { get; init; } = "";

    /// <summary>Node ids, browse paths, or a path that ends in <c>/*</c> (the Variables right below) or <c>/**</c> (all
    /// below).</summary>
    public IReadOnlyList<string> Nodes { get; init; } = [];

    /// <summary>Fields with settings of their own. They come first, and <see cref="Nodes"/> leaves them out.</summary>
    public IReadOnlyList<FieldOptions> Fields { get; init; } = [];

    /// <summary>A node that has events, by id or browse path: the data set is of its events. Then it has no
    /// <see cref="Nodes"/>. Source: Part 14 §6.2.3.8.</summary>
    public string EventNotifier { get; init; } = "";

    /// <summary>Names or node ids of types of events, with their subtypes; none: all.</summary>
    public IReadOnlyList<string> EventTypes { get; init; } = [];

    /// <summary>0: all, also events without one.</summary>
    public int EventMinSeverity { get; init; }

    /// <summary>Names of fields (<see cref="PlainFields"/>); none: the usual ones.</summary>
    public IReadOnlyList<string> EventFields { get; init; } = [];

    public bool IsOfEvents => EventNotifier.Length > 0;

    /// <summary>In the order of the messages.</summary>
    public IReadOnlyList<string> EventFieldsOrUsual => EventFields.Count > 0 ? EventFields : PlainFields.Usual;

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
        errors.Demand(Nodes.Count + Fields.Count > 0 || IsOfEvents, nameof(Nodes), "names no node");
        ValidateEvents(errors);
        for (var i = 0; i < Fields.Count; i++)
            Fields[i].Validate(errors.Below($"Fields:{i}"));
        errors.DemandUnique(
            Fields.Select(static (one, i) => one.Name.Length > 0 ? one.Name : $"/{i}"), nameof(Fields), "Name");
        ValidateItem(errors, SamplingIntervalMs, Deadband);
        errors.Demand(KeyFrameCount is >= 1, nameof(KeyFrameCount), $"{KeyFrameCount} is below 1");
    }

    private void ValidateEvents(OptionErrors errors)
    {
        errors.Demand(
            !IsOfEvents || Nodes.Count + Fields.Count == 0, nameof(EventNotifier),
            "a data set is of events or of values: leave out Nodes and Fields");
        errors.Demand(
            !EventNotifier.EndsWith("/*", StringComparison.Ordinal) &&
            !EventNotifier.EndsWith("/**", StringComparison.Ordinal), nameof(EventNotifier),
            $"'{EventNotifier}' is not one node");
        errors.Demand(
            IsOfEvents || (EventTypes.Count == 0 && EventFields.Count == 0 && EventMinSeverity == 0),
            nameof(EventNotifier), "there is none, but there are other keys of events");
        errors.Demand(
            EventMinSeverity is >= 0 and <= PlainFilter.MaxSeverity, nameof(EventMinSeverity),
            $"{EventMinSeverity} is not between 0 and {PlainFilter.MaxSeverity}");
        errors.Demand(EventTypes.Count <= MaxEventTypes, nameof(EventTypes), $"at most {MaxEventTypes}");
        errors.Demand(EventFields.Count <= MaxEventFields, nameof(EventFields), $"at most {MaxEventFields}");
        var names = new List<string>();
        for (var i = 0; i < EventFields.Count; i++)
        {
            var isOne = PlainFields.TryParse(EventFields[i], out _, out var name);
            errors.Demand(isOne, $"{nameof(EventFields)}:{i}", $"'{EventFields[i]}': {PlainFields.Expected}");
            names.Add(isOne ? name : $"/{i}");
        }

        for (var i = 0; i < names.Count; i++)
            errors.Demand(
                names.IndexOf(names[i]) == i, $"{nameof(EventFields)}:{i}", $"'{names[i]}' is there twice");
    }

    internal static void ValidateItem(OptionErrors errors, double samplingIntervalMs, double deadband)
    {
        errors.Demand(
            samplingIntervalMs is >= 0 and <= MaxSamplingIntervalMs, nameof(SamplingIntervalMs),
            $"{samplingIntervalMs} is not between 0 and {MaxSamplingIntervalMs} ms");
        errors.Demand(deadband is >= 0 and < double.PositiveInfinity, nameof(Deadband), $"{deadband} is below 0");
    }
}
