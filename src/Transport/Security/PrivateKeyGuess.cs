using Gateway.Admission.Load;
using Gateway.Transport.Certificates;
using Gateway.Transport.Hosting;

namespace Gateway.Transport.Security;

/// <summary>The guess from a few signatures with the gateway's own key, made once.</summary>
internal sealed class PrivateKeyGuess(ApplicationCertificate certificate, TransportLimits limits, TimeProvider time)
    : IHandshakeGuess
{
    public double PerSecond { get; } = HandshakeRate.Guess(
        PrivateKeyTiming.Of(certificate.PrivateKey, time),
        Math.Min(Environment.ProcessorCount, limits.PrivateKeyWorkers));
}
