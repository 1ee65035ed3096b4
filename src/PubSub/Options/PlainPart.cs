namespace Gateway.PubSub.Options;

/// <summary>A piece of a <see cref="PlainTemplate"/>.</summary>
internal enum PlainPart
{
    /// <summary>The template's own text.</summary>
    Text,

    /// <summary>JSON; null while the field has none.</summary>
    Value,

    /// <summary>Of the source, as a JSON string; null where there is none.</summary>
    Time,

    /// <summary>Name of the StatusCode, as a JSON string.</summary>
    Quality,

    /// <summary>Number of the StatusCode.</summary>
    Code,

    /// <summary>Of the field, as a JSON string.</summary>
    Name,
}
