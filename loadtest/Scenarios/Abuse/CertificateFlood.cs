using System.Globalization;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Gateway.Loadtest.Scenarios.Abuse;

/// <summary>OPNs at a steady rate, each with another certificate: expired, for another use, or cut, all of one
/// key.</summary>
internal sealed class CertificateFlood : Flood
{
    private const int Different = 2000;
    private const int AtATime = 500;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    private readonly WireTarget _target;
    private readonly int _rate;
    private readonly int _addresses;
    private readonly byte[][] _openings = new byte[Different][];

    public CertificateFlood(WireTarget target, RecordedOpening opening, int rate, int addresses)
    {
        (_target, _rate, _addresses) = (target, rate, addresses);
        using var key = RSA.Create(2048);
        var now = TimeProvider.System.GetUtcNow();
        for (var i = 0; i < Different; i++)
            _openings[i] = opening.With(Make(key, i, now));
    }

    public override int Held => 0;

    public override long Served => 0;

    public override Task RunAsync(double seconds, CancellationToken cancellation) =>
        new Pace(_rate, AtATime, TimeProvider.System).RunAsync(seconds, OneAsync, cancellation);

    /// <summary>All refused, even where unknown certificates are accepted.</summary>
    private static byte[] Make(RSA key, int number, DateTimeOffset now)
    {
        var request = new CertificateRequest(
            string.Create(CultureInfo.InvariantCulture, $"CN=bad {number}"),
            key,
            HashAlgorithmName.SHA256,
            RSASignaturePadding.Pkcs1);
        using var certificate = request.CreateSelfSigned(now.AddDays(-2), now.AddDays(-1));
        var der = certificate.RawData;
        if (number % 4 == 1)
            der[^1] ^= 0xFF;
        return number % 4 == 2 ? der[..^20] : der;
    }

    private async Task OneAsync(int number)
    {
        Attempt();
        using var limit = new CancellationTokenSource(Patience);
        try
        {
            using var socket = await _target.ConnectAsync(number % _addresses, limit.Token);
            await WireFrame.SendAsync(socket, _target.Hello, limit.Token);
            var frame = await WireFrame.ReadAsync(socket, limit.Token);
            if (frame.Type == "ACK")
            {
                await WireFrame.SendAsync(socket, _openings[number % Different], limit.Token);
                frame = await WireFrame.ReadAsync(socket, limit.Token);
            }

            Answered(frame.Refusal());
        }
        catch (SocketException error)
        {
            Answered(error.SocketErrorCode.ToString());
        }
        catch (Exception over) when (over is OperationCanceledException or InvalidDataException)
        {
            Answered("(patience over)");
        }
    }
}
