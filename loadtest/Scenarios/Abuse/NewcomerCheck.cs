using Gateway.Loadtest.Observers;
using Gateway.Loadtest.Reports;

namespace Gateway.Loadtest.Scenarios.Abuse;

/// <summary>Whether every newcomer was active in time.</summary>
internal static class NewcomerCheck
{
    public static void AddTo(Report report, LiveResult result, int mostMs) =>
        report.AddFault($"newcomers active after more than {mostMs} ms, or never", CountLate(result.Newcomers, mostMs));

    public static int CountLate(IReadOnlyList<Newcomer> newcomers, int mostMs) =>
        newcomers.Count(one => !(one.ActiveMs <= mostMs));
}
