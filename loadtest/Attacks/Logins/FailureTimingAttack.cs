using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Gateway.Client;
using Gateway.Client.Sessions;
using Gateway.Codec.Types;
using Gateway.Loadtest.Clients;
using Gateway.Loadtest.Scenarios.Abuse;

namespace Gateway.Loadtest.Attacks.Logins;

/// <summary>Fails in every way and measures how long the answer takes: OPNs with certificates that are wrong for
/// different reasons, ActivateSession and HTTP logins with an unknown user and with a wrong password.</summary>
internal sealed class FailureTimingAttack : Attack
{
    private const string User = "anna";
    private const byte FleetNetwork = 202;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    public override string Name => "failure-timing";

    public override string Summary =>
        "Measures the answers to failed OPNs and logins: the means of all kinds lie within 5 %.";

    public override string Rules => "R13";

    public override Plant PlantOf(AttackSize size) => new()
    {
        Arguments =
        [
            $"--Users:0:Name={User}", "--Users:0:Password=correct horse battery staple", "--Users:0:Roles:0=Operator",
            "--Limits:MaxFailedLogins=1000000",
        ],
    };

    public override async Task RunAsync(AttackContext context)
    {
        using var certificates = new CertificateSet(1, Name);
        using var fleet = new ClientFleet(context.Run.Sessions, certificates, FleetNetwork);
        var client = fleet.NewClient(0, 0);
        var opening = await RecordedOpening.RecordAsync(
            client, context.Run.Sessions.Endpoint, context.Cancellation);
        await using var session = await fleet.ConnectAsync(client, context.Cancellation);
        using var http = BasicLogin.ClientOf(0);
        FailureTimes[] doors =
        [
            new("OPN", OpenKinds(new WireTarget(context.Run.Url), opening, certificates[0].Der)),
            new("ActivateSession", ActivationKinds(session), () => KeepAliveAsync(session)),
            new("HTTP", HttpKinds(http, new Uri(context.HttpUrl, "/api/v1/admission"))),
        ];
        foreach (var door in doors)
        {
            await door.MeasureAsync(context.Pick(full: 200, small: 5));
            door.AddTo(context.Report, context.IsFull);
        }
    }

    private static (string, Func<int, Task<bool>>)[] OpenKinds(
        WireTarget target, RecordedOpening opening, byte[] leaf)
    {
        byte[] broken = [.. leaf[..^1], (byte)(leaf[^1] ^ 1)];
        var expired = Make(2048, days: -1);
        var weak = Make(1024, days: 30);
        return
        [
            Kind("a certificate that was not used to sign", [.. leaf, 0x30, 0x02, 0x05, 0x00]),
            Kind("a certificate whose own signature is broken", broken),
            Kind("an expired certificate", expired),
            Kind("a certificate with a short key", weak),
            Kind("bytes that are no certificate", RandomNumberGenerator.GetBytes(leaf.Length)),
        ];

        (string, Func<int, Task<bool>>) Kind(string name, byte[] chain) =>
            (name, _ => OpenAsync(target, opening.With(chain)));
    }

    private static (string, Func<int, Task<bool>>)[] ActivationKinds(ClientSession session)
    {
        return
        [
            ("an unknown user", round => ActivateAsync($"nobody{round}", "wrong")),
            ("a wrong password", round => ActivateAsync(User, $"wrong{round}")),
        ];

        async Task<bool> ActivateAsync(string user, string password)
        {
            try
            {
                await session.ActivateAsync(ClientIdentity.UserName(user, password));
                return false;
            }
            catch (ServiceException refused)
            {
                return refused.Status.CodeBits == StatusCodes.BadUserAccessDenied;
            }
        }
    }

    /// <summary>A refused ActivateSession does not count as a sign of life, and its answer keeps the client from asking
    /// by itself: without this the session is gone after its time-out.</summary>
    private static async Task KeepAliveAsync(ClientSession session) =>
        await NodeReader.ReadAsync(
            session, [new NodeId(StandardIds.Variables.Server_ServerStatus_State)], CancellationToken.None);

    private static (string, Func<int, Task<bool>>)[] HttpKinds(HttpClient client, Uri page)
    {
        return
        [
            ("an unknown user", round => AskAsync($"nobody{round}:wrong")),
            ("a wrong password", round => AskAsync($"{User}:wrong{round}")),
        ];

        async Task<bool> AskAsync(string credentials) => HttpStatusCode.Unauthorized == await BasicLogin.AskAsync(
            client, page, Convert.ToBase64String(Encoding.UTF8.GetBytes(credentials)), CancellationToken.None);
    }

    /// <summary>From the OPN's last byte to the answer: what lies before is the same for all.</summary>
    private static async Task<bool> OpenAsync(WireTarget target, byte[] open)
    {
        using var limit = new CancellationTokenSource(Patience);
        var socket = await target.ConnectAsync(0, limit.Token);
        try
        {
            await WireFrame.SendAsync(socket, target.Hello, limit.Token);
            await WireFrame.ReadAsync(socket, limit.Token);
            await WireFrame.SendAsync(socket, open, limit.Token);
            var answer = await WireFrame.ReadAsync(socket, limit.Token);
            return answer.Refusal().Contains("SecurityChecksFailed", StringComparison.Ordinal);
        }
        finally
        {
            WireTarget.Reset(socket);
        }
    }

    private static byte[] Make(int bits, int days)
    {
        using var key = RSA.Create(bits);
        var request = new CertificateRequest(
            "CN=failure timing", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(false, false, 0, critical: true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(
            X509KeyUsageFlags.DigitalSignature | X509KeyUsageFlags.DataEncipherment, critical: true));
        var end = TimeProvider.System.GetUtcNow().AddDays(days);
        using var made = request.CreateSelfSigned(end.AddDays(-60), end);
        return made.RawData;
    }
}
