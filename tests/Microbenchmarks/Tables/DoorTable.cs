using Gateway.Admission;
using Gateway.Microbenchmarks.Transport;
using Gateway.Transport.Hosting;

namespace Gateway.Microbenchmarks.Tables;

/// <summary>What the connection stage spends on those whom it does not let in.</summary>
internal static class DoorTable
{
    public const string Title = "At the door";

    public const string Note =
        "CPU time, user and system, of the thread that accepts, asks, tells and closes, over 20,000 refusals on the " +
        "loopback; the client connects, says HEL, reads the ERR and the end.";

    private const int Refusals = 20_000;
    private const int AtATime = 1_000;

    public static MarkdownTable Run(Action<string> progress)
    {
        var table = new MarkdownTable(["Refused"], ["CPU"]);
        void Add(string name, double ns)
        {
            progress(name);
            table.Add([name, MarkdownTable.Time(ns)]);
        }

        var moment = TimeSpan.FromMilliseconds(100);
        Add("by a cap: held 0.1 s, then told", CpuOf(
            new AdmissionLimits { MaxConnectionsPerAddress = 1, MaxWaitingConnections = 1 },
            new TransportLimits { RefusalHoldTime = moment }));
        Add("by a cap: told at once", CpuOf(
            new AdmissionLimits { MaxConnectionsPerAddress = 1, MaxWaitingConnections = 1 },
            new TransportLimits { MaxHeldRefusals = 1 }));
        Add("after its patience, 0.1 s here", CpuOf(
            new AdmissionLimits
            {
                DoorPatience = moment,
                MaxConnectionsPerSecond = 1_000_000,
                MaxConnectionsPerSecondPerAddress = 1_000_000,
            },
            new TransportLimits()));
        return table;
    }

    private static double CpuOf(AdmissionLimits limits, TransportLimits transport)
    {
        using var stand = new DoorStand(limits, transport);
        stand.Refuse(2 * AtATime, AtATime);
        var before = DoorStand.DoorNs();
        stand.Refuse(Refusals, AtATime);
        return (DoorStand.DoorNs() - before) / (double)Refusals;
    }
}
