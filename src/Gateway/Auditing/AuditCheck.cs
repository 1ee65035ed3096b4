using System.Globalization;
using Gateway.Store.Files;

namespace Gateway.Host.Auditing;

/// <summary>Reads a folder of audit files and says what is broken. May run beside the gateway: lines that come
/// meanwhile are no fault.</summary>
internal sealed class AuditCheck
{
    private readonly IStoreFiles _files;
    private readonly List<string> _faults = [];
    private readonly byte[] _hash = new byte[AuditChain.HashBytes];
    private AuditHead? _head;
    private long _last;
    private bool _isHeadMet;
    private bool _isFirstKnown;

    private AuditCheck(IStoreFiles files) => _files = files;

    /// <summary>Each with its place; empty: nothing is broken.</summary>
    public IReadOnlyList<string> Faults => _faults;

    /// <summary>Of all files.</summary>
    public long Lines { get; private set; }

    /// <summary>Of the first line; earlier ones have gone with their files.</summary>
    public long First { get; private set; }

    public long Last => _last;

    /// <summary>The last file ends with a line that is not finished: a process was killed, or is writing it.</summary>
    public bool IsLastTorn { get; private set; }

    /// <summary>Once more where files went away while they were read.</summary>
    public static AuditCheck Run(IStoreFiles files)
    {
        const int MaxTries = 5;
        for (var tries = 1; ; tries++)
        {
            var check = new AuditCheck(files);
            check.Run();
            if (check.Faults.Count == 0 || tries == MaxTries || AuditHead.Read(files) == check._head)
                return check;
        }
    }

    private void Run()
    {
        _head = AuditHead.Read(_files);
        var numbers = AuditFileName.NumbersIn(_files.List());
        if (numbers.Count == 0)
        {
            _faults.Add("there are no audit files");
            return;
        }

        CheckFiles(numbers);
        for (var i = 0; i < numbers.Count; i++)
            Read(AuditFileName.Of(numbers[i]), isLast: i == numbers.Count - 1);
        if (_head is { } head && !_isHeadMet)
            _faults.Add(head.Number > _last
                ? Text($"lines {_last + 1} to {head.Number} are missing at the end")
                : Text($"line {head.Number} is not the one that {AuditHead.FileName} names"));
    }

    private void CheckFiles(List<long> numbers)
    {
        if (_head is null)
            _faults.Add($"{AuditHead.FileName} is missing or damaged: lines may be missing at the end");
        else if (numbers[0] > _head.FirstFile)
            _faults.Add(Text($"{AuditFileName.Of(_head.FirstFile)} is missing"));
        _isFirstKnown = _head is not null && numbers[0] == _head.FirstFile;
        for (var i = 1; i < numbers.Count; i++)
        {
            if (numbers[i] != numbers[i - 1] + 1)
                _faults.Add($"{AuditFileName.Of(numbers[i - 1] + 1)} is missing");
        }
    }

    private void Read(string name, bool isLast)
    {
        try
        {
            using var file = _files.OpenToRead(name);
            Read(file, name, isLast);
        }
        catch (FileNotFoundException)
        {
            _faults.Add($"{name} is missing");
        }
    }

    private void Read(IStoreFile file, string name, bool isLast)
    {
        var reader = new AuditFileReader(file);
        var line = 0;
        while (reader.TryRead(out var text))
            Check(text, name, ++line);
        if (reader.IsTooLong)
            _faults.Add(Text($"{name}, line {line + 1}: too long"));
        else if (reader.HasRest && !isLast)
            _faults.Add(Text($"{name}, line {line + 1}: not finished"));
        IsLastTorn |= reader.HasRest && isLast;
    }

    private void Check(ReadOnlySpan<byte> text, string name, int line)
    {
        Lines++;
        if (!AuditChain.TryRead(text, out var link))
        {
            _faults.Add(Text($"{name}, line {line}: no line of the audit trail"));
            return;
        }

        if (!link.IsIntact)
            _faults.Add(Text($"{name}, line {line} (n {link.Number}): changed"));
        if (AuditFinding.KindIn(text) is { } found)
            _faults.Add(Text($"{name}, line {line} (n {link.Number}): a start found {found}"));
        if (Lines == 1)
        {
            First = link.Number;
            if (_isFirstKnown && First != _head!.FirstNumber)
                _faults.Add(Text($"{name}: begins with n {First} instead of {_head.FirstNumber}"));
        }
        else if (link.Number > _last + 1)
            _faults.Add(Text($"{name}, line {line}: lines n {_last + 1} to {link.Number - 1} are missing before it"));
        else if (link.Number != _last + 1)
            _faults.Add(Text($"{name}, line {line} (n {link.Number}): does not follow n {_last}"));
        else if (!link.Previous.AsSpan().SequenceEqual(_hash))
            _faults.Add(Text($"{name}, line {line} (n {link.Number}): the line before it is not the one it was"));
        _last = link.Number;
        link.Hash.CopyTo(_hash, 0);
        _isHeadMet |= _head is { } head && head.Number == link.Number &&
            head.Hash == Convert.ToHexStringLower(link.Hash);
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
