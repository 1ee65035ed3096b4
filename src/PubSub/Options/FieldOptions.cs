namespace Gateway.PubSub.Options;

/// <summary>One field of a data set with settings of its own.</summary>
public sealed record FieldOptions
{
    private const int MaxNameLength = 512;

    /// <summary>A node id or a browse path.</summary>
    public string Node { get; init; } = "";

    /// <summary>Of the field; empty: its node's.</summary>
    public string Name { get; init; } = "";

    /// <summary>Null: the data set's.</summary>
    public double? SamplingIntervalMs { get; init; }

    /// <summary>Null: the data set's.</summary>
    public double? Deadband { get; init; }

    internal void Validate(OptionErrors errors)
    {
        errors.Demand(
            Node.Length > 0 && !Node.EndsWith("/*", StringComparison.Ordinal) &&
            !Node.EndsWith("/**", StringComparison.Ordinal), nameof(Node),
            $"'{Node}' is not one node: /* and /** belong into Nodes");
        errors.Demand(Name.Length <= MaxNameLength, nameof(Name), $"is longer than {MaxNameLength} characters");
        DataSetOptions.ValidateItem(errors, SamplingIntervalMs ?? 0, Deadband ?? 0);
    }
}
