using System.Text;
using Gateway.Admission.Stages;

namespace Gateway.Admission.Explain;

/// <summary>One line about the last minute, or none (R24).</summary>
public static class MinuteSummary
{
    private const int MostReasons = 6;
    private const int MostAdvice = 2;

    /// <summary>Null where nothing was refused.</summary>
    public static string? Of(AdmissionReport report)
    {
        var shed =
            (from stage in report.Stages
             from one in stage.LastMinute.Shed
             orderby one.Value descending
             select (stage.Stage, Reason: one.Key, Count: one.Value)).ToList();
        if (shed.Count == 0)
            return null;
        var line = new StringBuilder();
        line.Append(ExplainText.Number(shed.Sum(one => one.Count))).Append(" refused in the last minute (");
        line.AppendJoin(", ", shed.Take(MostReasons).Select(one =>
            $"{ReasonTable.NameOf(one.Stage)} {ReasonTable.NameOf(one.Reason)} {ExplainText.Number(one.Count)}"));
        if (shed.Count > MostReasons)
            line.Append(", …");
        var admitted = report.Stages[(int)AdmissionStage.ActivateSession].LastMinute.Admitted;
        var waiting = report.Stages.Sum(stage => stage.Waiting);
        line.Append($"); {ExplainText.Number(admitted)} sessions activated, {ExplainText.Number(waiting)} wait, ");
        line.Append($"{ExplainText.Number(report.HandshakeRate)} handshakes/s at ");
        line.Append($"{ExplainText.Number(report.ConcurrencyShare * 100)} % share");
        foreach (var advice in report.Advice.Take(MostAdvice))
            line.Append(". ").Append(advice.Text);
        return line.ToString();
    }
}
