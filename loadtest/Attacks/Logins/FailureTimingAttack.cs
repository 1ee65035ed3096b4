using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Gateway.Loadtest.Clients;
using Gateway.Loadtest.Scenarios.Abuse;

namespace Gateway.Loadtest.Attacks.Logins;

/// <summary>Fails in every way and measures how long the answer takes: OPNs with certificates that are wrong for
/// different reasons, CreateSession, ActivateSession by password and by certificate, HTTP logins.</summary>
internal sealed class FailureTimingAttack : Attack
{
    private const string User = "anna";
    private const string Right = "correct horse battery staple";

    /// <summary>Longer than a password may be, and short enough for a header.</summary>
    private const int LongPassword = 2_000;

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
            $"--Users:0:Name={User}", $"--Users:0:Password={Right}", "--Users:0:Roles:0=Operator",
            "--Limits:MaxFailedLogins=1000000",
        ],
    };

    public override async Task RunAsync(AttackContext context)
    {
        // Of the application, of a trusted user, of no account.
        using var certificates = new CertificateSet(3, Name);
        using var fleet = new ClientFleet(context.Run.Sessions, certificates, FleetNetwork);
        var (client, endpoint) = (fleet.NewClient(0, 0), context.Run.Sessions.Endpoint);
        var opening = await RecordedOpening.RecordAsync(client, endpoint, context.Cancellation);
        await File.WriteAllBytesAsync(
            Path.Combine(context.Run.TrustedUserFolder!, "trusted.der"), certificates[1].Der, context.Cancellation);
        await using var session = await CraftedSession.OpenAsync(
            client, certificates[0], endpoint, context.Run.Url, context.Cancellation);
        var failures = new SessionFailures(session, User, certificates);
        if (!await failures.AreRightOnesLetInAsync(Right))
            context.Report.Fail("a user who is who he says is not let in");
        using var http = BasicLogin.ClientOf(0);
        FailureTimes[] doors =
        [
            new("OPN", OpenKinds(new WireTarget(context.Run.Url), opening, certificates[0].Der)),
            new("CreateSession", failures.Creations, failures.KeepAliveAsync),
            new("ActivateSession by password", failures.Passwords, failures.KeepAliveAsync),
            new("ActivateSession by certificate", failures.Certificates, failures.KeepAliveAsync),
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

    private static (string, Func<int, Task<bool>>)[] HttpKinds(HttpClient client, Uri page)
    {
        return
        [
            ("an unknown user", round => AskAsync($"nobody{round}:wrong")),
            ("a wrong password", round => AskAsync($"{User}:wrong{round}")),
            ("an empty password", _ => AskAsync($"{User}:")),
            ("a password that is too long", _ => AskAsync($"{User}:{new string('x', LongPassword)}")),
        ];

        async Task<bool> AskAsync(string credentials) => HttpStatusCode.Unauthorized == await BasicLogin.AskAsync(
            client, page, Convert.ToBase64String(Encoding.UTF8.GetBytes(credentials)), CancellationToken.None);
    }

    /// <summary>From the OPN's last byte to the answer: the time before is the same for all.</summary>
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
