namespace Gateway.Sources.OpcUa.Load;

/// <summary>A sign that an upstream has too much to do. Metrics write them in <c>snake_case</c>.</summary>
public enum LoadCause
{
    /// <summary>Answers take several times as long as usual.</summary>
    Slow,

    /// <summary>No answer in time.</summary>
    Timeout,

    /// <summary>Bad_TooMany…, or an answer that says that it is busy or short of memory.</summary>
    Refused,
}
