namespace Gateway.Operations.Access;

/// <summary>How a caller comes in.</summary>
public enum CallerDoor
{
    /// <summary>A part of the gateway itself.</summary>
    Inside,

    /// <summary>A SecureChannel.</summary>
    UaBinary,

    Http,
}
