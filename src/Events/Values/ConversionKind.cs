namespace Gateway.Events.Values;

/// <summary>How a value of one built-in type becomes one of another. Source: Part 4 §7.7.3.</summary>
internal enum ConversionKind : byte
{
    /// <summary>Not at all.</summary>
    None,

    /// <summary>Only by the operator Cast.</summary>
    Explicit,

    /// <summary>By itself where an operator needs it, and by Cast.</summary>
    Implicit,
}
