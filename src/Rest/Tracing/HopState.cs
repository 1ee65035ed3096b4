namespace Gateway.Rest.Tracing;

/// <summary>How one part of a value's way does.</summary>
public enum HopState
{
    Ok,

    /// <summary>Values pass, but late or not all of them.</summary>
    Warning,

    /// <summary>No value passes.</summary>
    Fault,

    /// <summary>The value does not go that way.</summary>
    None,
}
