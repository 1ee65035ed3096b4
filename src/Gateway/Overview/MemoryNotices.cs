using System.Globalization;
using Gateway.Host.Configuration;
using Gateway.Rest.Overview;

namespace Gateway.Host.Overview;

/// <summary>The process is near the memory that it may use: that of its container, or of the machine. The budgets of
/// parts of it are limits (<see cref="LoadNotices"/>).</summary>
/// <param name="used">Bytes that the process has.</param>
/// <param name="available">Bytes that it may have.</param>
internal sealed class MemoryNotices(Func<long> used, Func<long> available) : INoticeSource
{
    public const string Kind = "memory";

    private const double Near = 0.85;
    private const double Full = 0.95;
    private const double Mebibyte = 1024 * 1024;

    public MemoryNotices()
        : this(static () => Environment.WorkingSet, static () => MemoryShare.Memory)
    {
    }

    public IEnumerable<Notice> Read()
    {
        var (now, most) = (used(), available());
        if (most <= 0 || now < Near * most)
            return [];
        return
        [
            new Notice(
                Kind, "process", now >= Full * most,
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"The gateway has {now / Mebibyte:N0} MiB of the {most / Mebibyte:N0} MiB that it may use."),
                "Give it more memory, or lower the limits that hold most: the page Configuration lists what each one "
                + "uses."),
        ];
    }
}
