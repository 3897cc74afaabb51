"""lm-eval through its Python interface, on a task of local data, without a tokenizer.

Tuned: no default task index, no bootstrap, no sample log.
"""

import json
import os
from pathlib import Path

os.environ.update(HF_HUB_OFFLINE="1", HF_DATASETS_OFFLINE="1", TOKENIZERS_PARALLELISM="false")
os.environ.setdefault("OPENAI_API_KEY", "none")

from _common import MAX_TOKENS, MODEL, arguments, question, report


def main() -> None:
    options = arguments()
    folder = Path(options.folder).resolve()
    os.environ["HF_HOME"] = str(folder / "hf")
    data = folder / "items.json"
    with open(data, "w") as file:
        for number in range(options.count):
            file.write(json.dumps({"question": question(number), "target": "B"}) + "\n")
    task = {
        "task": "timed",
        "dataset_path": "json",
        "dataset_kwargs": {"data_files": {"test": str(data)}},
        "test_split": "test",
        "output_type": "generate_until",
        "doc_to_text": "{{question}}",
        "doc_to_target": "{{target}}",
        "generation_kwargs": {"max_gen_toks": MAX_TOKENS, "temperature": 0.0, "until": ["\n\n"]},
        "metric_list": [{"metric": "exact_match", "aggregation": "mean", "higher_is_better": True}],
    }
    (folder / "timed.yaml").write_text(json.dumps(task))

    from lm_eval import simple_evaluate
    from lm_eval.tasks import TaskManager

    results = simple_evaluate(
        model="local-chat-completions",
        model_args={
            "model": MODEL,
            "base_url": f"{options.url}/chat/completions",
            "num_concurrent": options.in_flight,
            "max_retries": 2,
            "tokenizer_backend": None,
            "tokenized_requests": False,
        },
        tasks=["timed"],
        task_manager=TaskManager(include_path=str(folder), include_defaults=False),
        apply_chat_template=True,
        bootstrap_iters=0,
        log_samples=False,
    )
    report(results["n-samples"]["timed"]["effective"])


if __name__ == "__main__":
    main()
