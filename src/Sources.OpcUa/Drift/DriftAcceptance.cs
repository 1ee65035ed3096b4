namespace Gateway.Sources.OpcUa.Drift;

/// <summary>The answer to an operator who accepts a changed model.</summary>
public enum DriftAcceptance
{
    /// <summary>The present model is the known one from now on.</summary>
    Accepted,

    /// <summary>It is the known one already.</summary>
    Unchanged,

    /// <summary>The upstream was not browsed since the gateway started: its present model is not known.</summary>
    TooEarly,
}
