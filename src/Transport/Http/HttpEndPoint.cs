using System.Net;

namespace Gateway.Transport.Http;

/// <summary>Marks an endpoint as one of <see cref="HttpListenerFactory"/> among Kestrel's.</summary>
internal sealed class HttpEndPoint(IPEndPoint endPoint) : IPEndPoint(endPoint.Address, endPoint.Port);
