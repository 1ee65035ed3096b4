namespace Gateway.Operations.Attributes;

/// <summary>Where the answer to one ReadValueId comes from.</summary>
public enum ReadKind
{
    /// <summary>Nowhere: the plan's status is the answer.</summary>
    Refused,

    /// <summary>It is in the plan already.</summary>
    Attribute,

    /// <summary>The value store, spliced as it is encoded there.</summary>
    Store,

    Source,
}
