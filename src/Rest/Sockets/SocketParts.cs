using Gateway.Rest.Answers;
using Gateway.Rest.Bodies;
using Gateway.Transport.Hosting;
using Gateway.Transport.Http;
using Microsoft.Extensions.Logging;

namespace Gateway.Rest.Sockets;

/// <summary>The parts that all WebSockets share.</summary>
internal sealed partial class SocketParts(
    RestLimits limits, HttpLimits http, TransportLimits transport, BodyReader bodies, AnswerSender answers,
    TimeProvider time, ILogger<SocketParts> logger)
{
    private readonly ILogger _logger = logger;

    public RestLimits Limits => limits;

    /// <summary>A message is as large as a body.</summary>
    public int MaxMessageBytes => http.MaxHttpBodyBytes;

    public TimeSpan WriteDeadline => transport.WriteDeadline;

    public BodyReader Bodies => bodies;

    public AnswerSender Answers => answers;

    public TimeProvider Time => time;
}
