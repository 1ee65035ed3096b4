namespace Gateway.PubSub.Options;

/// <summary>A DataSetWriter. Source: Part 14 §6.2.4.</summary>
public sealed record DataSetWriterOptions
{
    public string Name { get; init; } = "";

    /// <summary>Unique within the PublisherId.</summary>
    public int DataSetWriterId { get; init; }

    /// <summary>Name of its data set.</summary>
    public string DataSet { get; init; } = "";

    /// <param name="errors">Of this writer.</param>
    /// <param name="dataSets">Known.</param>
    /// <param name="takesEvents">The group's messages have a kind for events.</param>
    internal void Validate(OptionErrors errors, IReadOnlyList<DataSetOptions> dataSets, bool takesEvents)
    {
        errors.Demand(
            takesEvents || !dataSets.Any(one => one.Name == DataSet && one.IsOfEvents), nameof(DataSet),
            $"'{DataSet}' is of events, which plain, json-raw, RawData and periodic-fixed cannot carry");
        errors.Demand(TopicNames.IsLevel(Name), nameof(Name), TopicNames.Expected);
        errors.Demand(
            DataSetWriterId is >= 1 and <= ushort.MaxValue, nameof(DataSetWriterId),
            $"{DataSetWriterId} is not between 1 and {ushort.MaxValue}");
        errors.Demand(
            dataSets.Any(one => one.Name == DataSet), nameof(DataSet),
            $"'{DataSet}' is no data set: those are {string.Join(", ", dataSets.Select(static one => one.Name))}");
    }
}
