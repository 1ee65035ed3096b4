namespace Gateway.Rest.Upstreams;

/// <summary>The answer to an operator who accepts a changed model.</summary>
public enum DriftAnswer
{
    /// <summary>There is no such upstream.</summary>
    Unknown,

    /// <summary>Its present model is not known yet.</summary>
    TooEarly,

    /// <summary>The present model is the accepted one.</summary>
    Accepted,
}
