namespace Gateway.Rest.Services;

/// <summary>The text around a request or response as JSON.</summary>
internal enum ServiceForm
{
    /// <summary>Nothing: the path says which service it is. Part 6 §G.3.</summary>
    Bare,

    /// <summary>Its type stands beside its fields. Part 6 §5.4.9.</summary>
    Message,

    /// <summary><c>{"ServiceId":…,"Body":…}</c>. Part 6 §G.3, Table G.1.</summary>
    Envelope,
}
