using System.Net;

namespace Gateway.Sources.OpcUa.Reverse;

/// <summary>Where servers connect to that cannot be connected to (<c>ReverseConnect:*</c>).</summary>
/// <param name="EndPoint">Null: nowhere.</param>
public sealed record ReverseConnectOptions(IPEndPoint? EndPoint);
